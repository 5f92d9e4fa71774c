#include "job.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "watch.h"

enum { SIGNALS, CONTROL, INPUT, OUTPUT, ERRORS, FIRST_CLIENT, WATCHED = FIRST_CLIENT + CLIENTS_MAX };

static void close_stream(int *stream) {
    if (*stream >= 0) close(*stream);
    *stream = -1;
}

/* A client that is not fast enough holds the command back; nothing is lost and nothing piles up. */
static bool clients_keep_up(const struct job *job) {
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (job->clients[i] != NULL && outbox_waiting(&job->clients[i]->out) >= DATA_MAX) return false;
    return true;
}

static bool drained(const struct job *job) {
    for (int i = 0; i < 2; i++)
        if (job->output[i] >= 0 && job->left[i] != 0) return job->drain_until != 0 && now_ms() >= job->drain_until;
    return true;
}

static void to_clients(struct job *job, int stream, const char *bytes, size_t length) {
    ring_write(&job->record->logs[stream], bytes, length);
    for (int i = 0; i < CLIENTS_MAX; i++) {
        struct client *client = job->clients[i];
        if (client == NULL || client->closing || !(client->streams & (1 << stream))) continue;
        outbox_frame(&client->out, stream == 0 ? 'O' : 'E', bytes, length);
    }
}

static void read_output(struct job *job, int stream) {
    static char bytes[DATA_MAX];
    if (job->over && job->left[stream] == 0) return; /* it ended meanwhile; the rest is of those it left behind */
    size_t most = job->over && job->left[stream] >= 0 && job->left[stream] < DATA_MAX ? (size_t)job->left[stream]
                                                                                    : sizeof bytes;
    ssize_t count = read(job->output[stream], bytes, most);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
        close_stream(&job->output[stream]);
        return;
    }
    if (job->over && job->left[stream] > 0) job->left[stream] -= count;
    to_clients(job, stream, bytes, (size_t)count);
}

static void write_input(struct job *job) {
    if (job->input < 0) return;
    enum flush flushed = outbox_flush(&job->to_command, job->input);
    if (flushed == FLUSH_LOST) outbox_free(&job->to_command);
    if (flushed == FLUSH_LOST || (flushed == FLUSH_DONE && job->end_input)) close_stream(&job->input);
}

static void listen_to_agent(struct job *job) {
    struct control message;
    for (int descriptor; control_receive(job->control, &message, &descriptor);) {
        if (message.kind == CONTROL_ATTACH && descriptor >= 0) job_attach(job, &message, descriptor);
        else if (message.kind == CONTROL_KILL && !job->over) job_kill_tree(job, KILLED);
    }
}

static void read_signals(struct job *job) {
    struct signalfd_siginfo ignored[8];
    while (read(job->signals, ignored, sizeof ignored) > 0) continue;
    job_reap(job);
}

static void client_lost(struct job *job, int index) {
    bool owner = job->clients[index]->owner;
    job_drop_client(job, index);
    if (owner && (!job->over || (job->linger && !job->told))) job_kill_tree(job, KILLED);
}

static void serve_client(struct job *job, int index, short seen) {
    struct client *client = job->clients[index];
    bool here = client_listen(job, client);
    enum flush flushed = outbox_flush(&client->out, client->descriptor);
    /* Hanging up is more than having nothing left to say: that would be an end of input only. */
    if (!here || flushed == FLUSH_LOST || (seen & (POLLHUP | POLLERR))) client_lost(job, index);
    else if (flushed == FLUSH_DONE && client->closing) {
        shutdown(client->descriptor, SHUT_WR);
        client_lost(job, index);
    }
}

static bool anybody(const struct job *job) {
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (job->clients[i] != NULL) return true;
    return false;
}

static void watch(const struct job *job, struct pollfd watched[WATCHED]) {
    bool keeping_up = clients_keep_up(job);
    watched[SIGNALS] = (struct pollfd){job->signals, POLLIN, 0};
    watched[CONTROL] = (struct pollfd){job->deaf ? -1 : job->control, POLLIN, 0};
    watched[INPUT] = (struct pollfd){-1, POLLOUT, 0};
    if (outbox_waiting(&job->to_command) > 0 || job->end_input) watched[INPUT].fd = job->input;
    for (int i = 0; i < 2; i++)
        watched[OUTPUT + i] =
            (struct pollfd){keeping_up && !(job->over && job->left[i] == 0) ? job->output[i] : -1, POLLIN, 0};
    for (int i = 0; i < CLIENTS_MAX; i++) {
        struct client *client = job->clients[i];
        watched[FIRST_CLIENT + i] = (struct pollfd){client == NULL ? -1 : client->descriptor, 0, 0};
        if (client == NULL) continue;
        if (!client->input_ended && outbox_waiting(&job->to_command) < DATA_MAX)
            watched[FIRST_CLIENT + i].events |= POLLIN;
        if (outbox_waiting(&client->out) > 0 || client->closing) watched[FIRST_CLIENT + i].events |= POLLOUT;
    }
}

static int time_left(const struct job *job) {
    int64_t next = job->over && job->drain_until != 0 ? job->drain_until : job->deadline;
    if (next == 0 || job->told) return -1;
    int64_t left = next - now_ms();
    return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

/* The first process is gone, and with it everybody who could ask for this command. */
static void orphaned(struct job *job) {
    job->deaf = true;
    job_kill_tree(job, KILLED);
}

static void job_timeout(struct job *job) {
    job->deadline = 0;
    if (!job->over || job->linger) job_kill_tree(job, TIMEOUT);
}

/* Whoever ended the whole tree may have missed what was being forked at that moment, and may not have told us yet. */
static void finish(struct job *job) {
    if (job->record->doom != 0) job_kill_tree(job, (enum reason)job->record->doom);
    job_tell_end(job);
}

static void step(struct job *job) {
    struct pollfd watched[WATCHED];
    watch(job, watched);
    if (poll_present(watched, WATCHED, time_left(job)) < 0) return;
    if (watched[SIGNALS].revents) read_signals(job);
    if (watched[CONTROL].revents) listen_to_agent(job);
    if (watched[CONTROL].revents & POLLHUP) orphaned(job);
    for (int i = 0; i < 2; i++)
        if (watched[OUTPUT + i].revents && job->output[i] >= 0) read_output(job, i);
    write_input(job);
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (job->clients[i] != NULL && job->clients[i]->descriptor == watched[FIRST_CLIENT + i].fd)
            serve_client(job, i, watched[FIRST_CLIENT + i].revents);
    if (!job->told && job->deadline != 0 && now_ms() >= job->deadline) job_timeout(job);
    if (job->over && !job->told && drained(job)) finish(job);
}

/* What the command left running must not die of writing to nobody: the first process reads on. */
static void hand_over_streams(struct job *job) {
    for (int i = 0; i < 2 && !job->terminal; i++)
        if (job->output[i] >= 0) control_send(job->control, &(struct control){.kind = CONTROL_SINK}, job->output[i]);
}

void job_work(struct job *job) {
    while (!job->told || anybody(job)) step(job);
    /* Nobody may be sent here any more; who was on the way is still served. */
    shutdown(job->control, SHUT_RD);
    job->deaf = true;
    listen_to_agent(job);
    while (anybody(job)) step(job);
    hand_over_streams(job);
}
