/* From a whole request to whoever carries it out. */
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "dispatch.h"
#include "files.h"
#include "workers.h"

static const struct handler {
    const char *name;
    void (*carry_out)(int client, const struct fields *request);
    bool takes_data;
} handlers[] = {{"read", do_read, false},     {"write", do_write, true}, {"stat", do_stat, false},
                {"list", do_list, false},     {"mkdir", do_mkdir, false}, {"remove", do_remove, false},
                {"move", do_move, false},     {"pack", do_pack, false},  {"unpack", do_unpack, true},
                {"empty", do_empty, false},   {"forward", do_forward, false}};

/* A host that is still sending reads the problem only afterwards: it must not be cut off before. */
static void let_finish(int client) {
    char ignored[16384];
    while (read(client, ignored, sizeof ignored) > 0) continue;
}

static void start_handler(struct connection *connection, const struct fields *request, const struct handler *handler) {
    pid_t pid = worker_fork(connection->final, &connection->descriptor, 1);
    if (pid < 0) no_process(connection);
    else if (pid > 0) leave_to_worker(connection);
    else {
        become_blocking(connection->descriptor);
        handler->carry_out(connection->descriptor, request);
        if (handler->takes_data) let_finish(connection->descriptor);
        _exit(0);
    }
}

static const struct handler *handler_of(const char *name) {
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].name, name) == 0) return &handlers[i];
    return NULL;
}

/* What the first process answers itself; false for anything else. */
static bool answer_here(struct connection *connection, const char *name, const struct fields *request) {
    struct outbox *out = &connection->out;
    if (strcmp(name, "hello") == 0) answer_hello(out);
    else if (strcmp(name, "commands") == 0) answer_commands(out);
    else if (strcmp(name, "kill") == 0) answer_kill(out, request);
    else if (strcmp(name, "forget") == 0) answer_forget(out, request);
    else if (strcmp(name, "usage") == 0) answer_usage(out);
    else if (strcmp(name, "shutdown") == 0) {
        outbox_frame(out, 'A', NULL, 0);
        agent.leaving = true;
    } else return false;
    return true;
}

void dispatch(struct connection *connection, const struct fields *request) {
    const char *name = fields_get(request, "op");
    const struct handler *handler = name == NULL ? NULL : handler_of(name);
    connection->final = fields_flag(request, "final", 0) == 1;
    connection->answered = true;
    if (name == NULL) answer_problem(&connection->out, "protocol", 0, "the field op is missing");
    else if (answer_here(connection, name, request)) return;
    else if (handler != NULL) start_handler(connection, request, handler);
    else if (strcmp(name, "run") == 0) do_run(connection, request);
    else if (strcmp(name, "attach") == 0) do_attach(connection, request);
    else answer_problem(&connection->out, "protocol", 0, "no operation is called %.64s", name);
}
