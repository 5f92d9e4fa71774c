/* Starts the handler of a command. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "counters.h"
#include "dispatch.h"
#include "problem.h"
#include "run.h"
#include "table.h"
#include "workers.h"

void become_blocking(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
}

void no_process(struct connection *connection) {
    answer_problem(&connection->out, code_of(errno), errno, "no process can be made in this sandbox");
}

void leave_to_worker(struct connection *connection) {
    connection->final = false;
    connection_close(connection);
}

static size_t log_limit(const struct fields *request) {
    long long limit = fields_flag(request, "detach", 0) == 1 ? LOG_DEFAULT : 0;
    fields_number(request, "log_limit", 0, LOG_MOST, &limit);
    return (size_t)limit;
}

static void start_command(struct connection *connection, const struct fields *request, struct command *command) {
    int channel[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0) {
        no_process(connection);
        table_remove(command);
        return;
    }
    int keep[] = {connection->descriptor, channel[1], MEMORY_EVENTS, PROCESS_EVENTS};
    pid_t pid = worker_fork(connection->final, keep, sizeof keep / sizeof keep[0]);
    if (pid == 0) {
        become_blocking(connection->descriptor);
        run(connection->descriptor, request, command->record, channel[1]);
    }
    close(channel[1]);
    command->control = channel[0];
    command->handler = pid;
    if (pid > 0) {
        leave_to_worker(connection);
        return;
    }
    no_process(connection);
    table_remove(command);
}

void do_run(struct connection *connection, const struct fields *request) {
    const char *id = fields_get(request, "id"), *refusal = run_refusal(request);
    if (refusal != NULL) answer_problem(&connection->out, "protocol", 0, "%s", refusal);
    else if (id != NULL && table_find(id) != NULL)
        answer_problem(&connection->out, "exists", 0, "a command %s is known already", id);
    else {
        struct command *command = table_add(id, fields_flag(request, "detach", 0) == 1, log_limit(request), request);
        if (command == NULL) answer_problem(&connection->out, "out_of_memory", errno, "no memory for the command's logs");
        else start_command(connection, request, command);
    }
}
