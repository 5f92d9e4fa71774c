/* What clients of a command are told when they come and when it ends. */
#include <unistd.h>

#include "job.h"

static void tell_client(const struct job *job, struct client *client) {
    struct text text = {0};
    say_end(&text, job->record);
    outbox_frame(&client->out, 'X', text.bytes, text.length);
    text_free(&text);
    client->closing = client->input_ended = true;
}

void job_attach(struct job *job, const struct control *message, int descriptor) {
    struct client *client = job_add_client(job, descriptor, message->streams);
    if (client == NULL) {
        close(descriptor);
        return;
    }
    struct text text = {0};
    say(&text, "id", "%s", job->record->id);
    say(&text, "pid", "%d", job->record->leader);
    say(&text, "dropped_stdout", "%llu", (unsigned long long)ring_dropped(&job->record->logs[0]));
    say(&text, "dropped_stderr", "%llu", (unsigned long long)ring_dropped(&job->record->logs[1]));
    outbox_frame(&client->out, 'A', text.bytes, text.length);
    text_free(&text);
    replay(&client->out, job->record, message->streams);
    if (!message->logs_only) {
        if (job->told) tell_client(job, client);
        return;
    }
    outbox_frame(&client->out, 'Z', NULL, 0);
    client->closing = client->input_ended = true;
}

void job_tell_end(struct job *job) {
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (job->clients[i] != NULL && !job->clients[i]->closing) tell_client(job, job->clients[i]);
    job->record->ended = true;
    job->told = true;
}
