/* What clients of a command send, and what they are shown when they come late. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "fields.h"
#include "job.h"
#include "problem.h"
#include "terminal.h"
#include "tree.h"

struct client *job_add_client(struct job *job, int descriptor, unsigned char streams) {
    for (int i = 0; i < CLIENTS_MAX; i++) {
        if (job->clients[i] != NULL) continue;
        struct client *client = calloc(1, sizeof *client);
        if (client == NULL) return NULL;
        fcntl(descriptor, F_SETFL, O_NONBLOCK);
        client->descriptor = descriptor;
        client->streams = streams;
        return job->clients[i] = client;
    }
    return NULL;
}

void job_drop_client(struct job *job, int index) {
    struct client *client = job->clients[index];
    job->clients[index] = NULL;
    close(client->descriptor);
    inbox_free(&client->in);
    outbox_free(&client->out);
    free(client);
}

static void replay_run(struct outbox *out, char kind, const char *bytes, size_t length) {
    for (size_t sent = 0; sent < length;) {
        size_t part = length - sent < DATA_MAX ? length - sent : DATA_MAX;
        outbox_frame(out, kind, bytes + sent, part);
        sent += part;
    }
}

void replay(struct outbox *out, const struct record *record, unsigned char streams) {
    for (int stream = 0; stream < 2; stream++) {
        if (!(streams & (1 << stream))) continue;
        for (int run = 0; run < 2; run++) {
            const char *bytes;
            size_t length = ring_run(&record->logs[stream], run, &bytes);
            replay_run(out, stream == 0 ? 'O' : 'E', bytes, length);
        }
    }
}

static bool refuse(struct client *client, const char *message) {
    struct text text = {0};
    describe_problem(&text, "protocol", 0, "%s", message);
    outbox_frame(&client->out, 'P', text.bytes, text.length);
    text_free(&text);
    client->closing = client->input_ended = true;
    return true;
}

static bool take_signal(struct job *job, struct client *client, const struct fields *fields) {
    long long number = 0;
    int tree = fields_flag(fields, "tree", 0);
    if (fields_number(fields, "signal", 1, 64, &number) != NUMBER_GOOD || tree < 0)
        return refuse(client, "S takes signal=1..64 and tree=0|1");
    if (job->over) return true;
    if (tree) signal_tree(getpid(), (int)number);
    else signal_one(job->record->leader, (int)number);
    return true;
}

static bool take_window(struct job *job, struct client *client, const struct fields *fields) {
    long long rows, columns;
    if (fields_number(fields, "rows", 1, 65535, &rows) != NUMBER_GOOD ||
        fields_number(fields, "cols", 1, 65535, &columns) != NUMBER_GOOD)
        return refuse(client, "W takes rows and cols from 1 to 65535");
    if (job->terminal && job->input >= 0) terminal_resize(job->input, rows, columns);
    return true;
}

static bool take_frame(struct job *job, struct client *client, const struct frame *frame) {
    struct fields fields = {frame->payload, frame->length};
    switch (frame->kind) {
        case 'I':
            if (job->input >= 0 && !job->end_input) outbox_bytes(&job->to_command, frame->payload, frame->length);
            return true;
        case 'Z':
            /* A terminal is told by its own sign; its stream must stay open. */
            if (job->terminal) outbox_bytes(&job->to_command, "\004", 1);
            else job->end_input = true;
            return true;
        case 'S':
        case 'W':
            if (!fields_valid(fields.bytes, fields.length)) return refuse(client, "malformed fields");
            return frame->kind == 'S' ? take_signal(job, client, &fields) : take_window(job, client, &fields);
        default: return refuse(client, "a running command takes I, Z, S and W");
    }
}

bool client_listen(struct job *job, struct client *client) {
    for (;;) {
        /* The command takes its input at its own pace; the client waits for it. */
        if (outbox_waiting(&job->to_command) >= DATA_MAX || client->input_ended) return true;
        struct frame frame;
        enum take taken = client->in.bytes == NULL ? TAKE_MORE_NEEDED : inbox_take(&client->in, &frame);
        if (taken == TAKE_MALFORMED) return refuse(client, "not a frame");
        if (taken == TAKE_FRAME && !take_frame(job, client, &frame)) return false;
        if (taken == TAKE_FRAME) continue;
        enum fill filled = inbox_fill(&client->in, client->descriptor);
        if (filled == FILL_NOTHING_YET) return true;
        if (filled == FILL_SOME) continue;
        client->input_ended = true;
        if (client->owner && !job->terminal) job->end_input = true;
        return true;
    }
}
