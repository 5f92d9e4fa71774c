/* The operation `attach`: to a command that runs, or to the memory of one that has ended. */
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "dispatch.h"
#include "job.h"
#include "table.h"
#include "workers.h"

/* For a command that has ended: all of it from memory, by a process that may wait for the client. */
static void replay_ended(struct connection *connection, const struct command *command, struct control asked) {
    pid_t pid = worker_fork(connection->final, &connection->descriptor, 1);
    if (pid < 0) no_process(connection);
    if (pid > 0) leave_to_worker(connection);
    if (pid != 0) return;
    struct outbox out = {0};
    struct text answer = {0}, end = {0};
    become_blocking(connection->descriptor);
    say(&answer, "id", "%s", command->record->id);
    say(&answer, "pid", "%d", command->record->leader);
    say(&answer, "dropped_stdout", "%llu", (unsigned long long)ring_dropped(&command->record->logs[0]));
    say(&answer, "dropped_stderr", "%llu", (unsigned long long)ring_dropped(&command->record->logs[1]));
    outbox_frame(&out, 'A', answer.bytes, answer.length);
    replay(&out, command->record, asked.streams);
    say_end(&end, command->record);
    if (asked.logs_only) outbox_frame(&out, 'Z', NULL, 0);
    else outbox_frame(&out, 'X', end.bytes, end.length);
    outbox_flush(&out, connection->descriptor);
    _exit(0);
}

static bool asked_streams(const struct fields *request, struct control *asked) {
    const char *stream = fields_get(request, "stream");
    int logs = fields_flag(request, "logs", 0);
    *asked = (struct control){CONTROL_ATTACH, logs == 1, 3};
    if (stream != NULL && strcmp(stream, "stdout") == 0) asked->streams = 1;
    else if (stream != NULL && strcmp(stream, "stderr") == 0) asked->streams = 2;
    else if (stream != NULL && strcmp(stream, "both") != 0) return false;
    return logs >= 0;
}

void do_attach(struct connection *connection, const struct fields *request) {
    const char *id = fields_get(request, "id");
    struct command *command = id == NULL ? NULL : table_find(id);
    struct control asked;
    if (id == NULL || !asked_streams(request, &asked))
        answer_problem(&connection->out, "protocol", 0, "attach takes id, logs=0|1 and stream=stdout|stderr|both");
    else if (command == NULL) answer_problem(&connection->out, "not_found", 0, "no command %.64s is known", id);
    else if (!command->record->ended && command->control >= 0 &&
             control_send(command->control, &asked, connection->descriptor))
        leave_to_worker(connection);
    else if (command->record->ended) replay_ended(connection, command, asked);
    else answer_problem(&connection->out, "io", 0, "the command %s cannot be reached", id);
}
