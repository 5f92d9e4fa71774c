#include "table.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of the arguments of one command, what is kept for `commands`. */
enum { ARGUMENTS_KEPT = 32768 };

struct command *commands;

bool id_is_good(const char *id) {
    size_t length = strlen(id);
    return length >= 1 && length <= ID_MAX && strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz") == length;
}

struct command *table_find(const char *id) {
    for (struct command *at = commands; at != NULL; at = at->next)
        if (strcmp(at->record->id, id) == 0) return at;
    return NULL;
}

struct command *table_find_handler(pid_t handler) {
    for (struct command *at = commands; at != NULL; at = at->next)
        if (at->handler == handler) return at;
    return NULL;
}

static void keep_arguments(struct command *command, const struct fields *request) {
    struct text text = {0};
    for (const char *at = NULL; (at = fields_next(request, "arg", at)) != NULL && text.length < ARGUMENTS_KEPT;)
        say(&text, "arg", "%.8192s", at);
    command->arguments = text.bytes;
    command->arguments_length = text.length;
}

static struct record *map_record(size_t log_limit, size_t *mapped) {
    *mapped = sizeof(struct record) + 2 * log_limit;
    struct record *record = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (record == MAP_FAILED) return NULL;
    for (int i = 0; i < 2; i++)
        record->logs[i] = (struct ring){0, log_limit, (char *)(record + 1) + (size_t)i * log_limit};
    return record;
}

static void make_id(char id[ID_MAX + 1]) {
    static unsigned number;
    do snprintf(id, ID_MAX + 1, "c%u", ++number);
    while (table_find(id) != NULL);
}

struct command *table_add(const char *id, bool detached, size_t log_limit, const struct fields *request) {
    char made[ID_MAX + 1];
    struct command *command = calloc(1, sizeof *command);
    if (command == NULL) return NULL;
    command->record = map_record(log_limit, &command->mapped);
    if (command->record == NULL) {
        free(command);
        return NULL;
    }
    if (id == NULL) make_id(made);
    snprintf(command->record->id, sizeof command->record->id, "%s", id == NULL ? made : id);
    command->record->detached = detached;
    command->record->code = command->record->signal = -1;
    command->control = -1;
    keep_arguments(command, request);
    command->next = commands;
    commands = command;
    return command;
}

void table_remove(struct command *command) {
    for (struct command **at = &commands; *at != NULL; at = &(*at)->next) {
        if (*at != command) continue;
        *at = command->next;
        break;
    }
    munmap(command->record, command->mapped);
    if (command->control >= 0) close(command->control);
    free(command->arguments);
    free(command);
}

static bool is_over(const struct command *command) { return command->record->ended && command->handler == 0; }

void table_prune(void) {
    for (;;) {
        struct command *oldest = NULL;
        int over = 0;
        for (struct command *at = commands; at != NULL; at = at->next) {
            if (!is_over(at)) continue;
            over++;
            if (oldest == NULL || at->record->ended_ms <= oldest->record->ended_ms) oldest = at;
        }
        if (over <= REMEMBERED) return;
        table_remove(oldest);
    }
}

const char *reason_name(enum reason reason) {
    static const char *const names[] = {"exited", "signalled", "timeout", "killed",
                                        "disk_limit", "out_of_memory", "process_limit"};
    return names[reason];
}

static enum reason without_limits(const struct record *record) {
    if (record->signal < 0) return EXITED;
    return record->signal == record->asked_signal ? KILLED : SIGNALLED;
}

/* The counters are the whole sandbox's: what fails while another one is at a limit counts as failed by it. */
enum reason reason_of(const struct record *record) {
    struct counters now = counters_now();
    if (record->doom != 0) return (enum reason)record->doom;
    if (record->code == 0 || record->signal == record->asked_signal) return without_limits(record);
    if (now.memory_kills > record->before.memory_kills) return OUT_OF_MEMORY;
    if (now.refused_forks > record->before.refused_forks) return PROCESS_LIMIT;
    if (workspace_is_full()) return DISK_LIMIT;
    return without_limits(record);
}

void say_end(struct text *text, const struct record *record) {
    if (record->signal >= 0) say(text, "signal", "%d", record->signal);
    else say(text, "code", "%d", record->code);
    say(text, "reason", "%s", reason_name(record->reason));
    say(text, "id", "%s", record->id);
    say(text, "wall_ms", "%lld", (long long)record->wall_ms);
    say(text, "user_ms", "%lld", (long long)record->user_ms);
    say(text, "system_ms", "%lld", (long long)record->system_ms);
    say(text, "max_rss_kb", "%lld", (long long)record->max_rss_kb);
    say(text, "dropped_stdout", "%llu", (unsigned long long)ring_dropped(&record->logs[0]));
    say(text, "dropped_stderr", "%llu", (unsigned long long)ring_dropped(&record->logs[1]));
}
