/* What the first process answers itself, also when no other process can be made. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "agent.h"
#include "clock.h"
#include "problem.h"
#include "settings.h"
#include "table.h"

void answer(struct outbox *out, struct text *text) {
    outbox_frame(out, 'A', text->bytes, text->length);
    text_free(text);
}

void answer_problem(struct outbox *out, const char *code, int error, const char *format, ...) {
    char message[4096];
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    describe_problem(&text, code, error, "%s", message);
    outbox_frame(out, 'P', text.bytes, text.length);
    text_free(&text);
}

/* From the kernel's own account of this process, never from what was meant. */
static void say_status(struct text *text) {
    char line[256], value[64];
    FILE *status = fopen("/proc/self/status", "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "Seccomp: %63s", value) == 1) say(text, "seccomp", "%s", value);
        if (sscanf(line, "NoNewPrivs: %63s", value) == 1) say(text, "no_new_privs", "%s", value);
        if (sscanf(line, "CapEff: %63s", value) == 1) say(text, "capabilities", "%s", value);
    }
    if (status != NULL) fclose(status);
}

void answer_hello(struct outbox *out) {
    struct text text = {0};
    say(&text, "version", "1");
    say(&text, "pid", "%d", getpid());
    say(&text, "uid", "%u", getuid());
    say_status(&text);
    say(&text, "http_port", "%lld", settings.http_port);
    say(&text, "socks_port", "%lld", settings.socks_port);
    say(&text, "uptime_ms", "%lld", (long long)(now_ms() - agent.started));
    answer(out, &text);
}

static void say_command(struct text *text, const struct command *command) {
    const struct record *record = command->record;
    say(text, "id", "%s", record->id);
    say(text, "pid", "%d", record->leader);
    say(text, "state", "%s", record->ended ? "ended" : "running");
    if (record->ended && record->signal >= 0) say(text, "signal", "%d", record->signal);
    if (record->ended && record->signal < 0) say(text, "code", "%d", record->code);
    if (record->ended) say(text, "reason", "%s", reason_name(record->reason));
    say(text, "started_ms", "%lld", (long long)record->started_ms);
    if (record->ended) say(text, "ended_ms", "%lld", (long long)record->ended_ms);
    say(text, "detached", "%d", record->detached);
    text_append(text, command->arguments, command->arguments_length);
}

void answer_commands(struct outbox *out) {
    for (const struct command *at = commands; at != NULL; at = at->next) {
        struct text text = {0};
        if (at->record->leader <= 0) continue; /* not started yet */
        say_command(&text, at);
        answer(out, &text);
    }
    outbox_frame(out, 'Z', NULL, 0);
}
