/* The first process: connections that have not said what they want, workers, commands. It waits for nobody. */
#ifndef HUSK_AGENT_H
#define HUSK_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fields.h"
#include "measure.h"
#include "outbox.h"

enum { CONNECTIONS_MAX = 128, REQUEST_DEADLINE_MS = 10000 };

/* A client that is still asking, or is still being told. */
struct connection {
    int descriptor; /* -1: free */
    char header[5];
    char *payload;
    size_t have; /* bytes of header and payload so far */
    struct outbox out;
    bool answered; /* closes once all is sent */
    bool final;
    int64_t deadline;
};

struct agent {
    struct connection connections[CONNECTIONS_MAX];
    int64_t started;
    struct measured *measured; /* NULL: no workspace is measured */
    bool leaving;
    bool met_anybody;
};

extern struct agent agent;

/* Reads on; hands the request over when it is whole. */
void connection_listen(struct connection *connection);
void connection_close(struct connection *connection);

/* Decides what to do with a whole request. */
void dispatch(struct connection *connection, const struct fields *request);

/* Answers that the first process gives itself. */
void answer_hello(struct outbox *out);
void answer_commands(struct outbox *out);
void answer_kill(struct outbox *out, const struct fields *request);
void answer_forget(struct outbox *out, const struct fields *request);
void answer_usage(struct outbox *out);
void answer(struct outbox *out, struct text *text);
void answer_problem(struct outbox *out, const char *code, int error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
