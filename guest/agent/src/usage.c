/* The operation `usage`: what all processes of the sandbox take together. */
#include <errno.h>
#include <unistd.h>

#include "agent.h"
#include "proc.h"
#include "table.h"

static int open_commands(void) {
    int count = 0;
    for (const struct command *at = commands; at != NULL; at = at->next) count += !at->record->ended;
    return count;
}

void answer_usage(struct outbox *out) {
    struct processes all;
    struct text text = {0};
    unsigned long long user = 0, system = 0;
    long long pages = 0, ticks = sysconf(_SC_CLK_TCK);
    if (!processes_read(&all)) {
        answer_problem(out, "io", errno, "cannot read /proc");
        return;
    }
    if (getpid() != 1) processes_below(&all, getpid());
    for (size_t i = 0; i < all.count; i++) {
        user += all.list[i].user_ticks;
        system += all.list[i].system_ticks;
        pages += all.list[i].resident_pages;
    }
    say(&text, "processes", "%zu", all.count);
    say(&text, "cpu_user_ms", "%llu", user * 1000 / (unsigned long long)ticks);
    say(&text, "cpu_system_ms", "%llu", system * 1000 / (unsigned long long)ticks);
    say(&text, "memory_kb", "%lld", pages * (sysconf(_SC_PAGESIZE) / 1024));
    if (agent.measured != NULL && agent.measured->bytes >= 0)
        say(&text, "workspace_bytes", "%lld", (long long)agent.measured->bytes);
    say(&text, "commands", "%d", open_commands());
    processes_free(&all);
    answer(out, &text);
}
