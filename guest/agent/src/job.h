/* A command at work: its streams, its clients, its end. Lives in the command's handler, one process for each command. */
#ifndef HUSK_JOB_H
#define HUSK_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "control.h"
#include "frame.h"
#include "outbox.h"
#include "table.h"

enum { CLIENTS_MAX = 16 };

struct client {
    int descriptor;
    struct inbox in;
    struct outbox out;
    unsigned char streams;
    bool owner;       /* the command dies with it */
    bool input_ended; /* it will send nothing more */
    bool closing;     /* leaves once all is sent */
};

struct job {
    struct record *record;
    int control, signals;
    bool deaf;        /* the first process has nothing more to say */
    int input;        /* to the command; -1: closed */
    int output[2];    /* from the command; -1: at its end. A terminal has one stream */
    bool terminal;
    struct outbox to_command;
    bool end_input; /* close the input once all is passed on */
    struct client *clients[CLIENTS_MAX];
    int64_t started, deadline; /* monotonic; 0: none */
    bool linger;
    bool over;            /* the leader has ended */
    int64_t left[2];      /* bytes still to be read after the end; -1: until the stream ends */
    int64_t drain_until;  /* for a terminal, which may end its stream a little later */
    bool told;            /* X was given to every client */
};

/* Until everything is over and said. */
void job_work(struct job *job);

/* Kills every descendant of this process and collects them. */
void job_kill_tree(struct job *job, enum reason reason);

/* Collects what has died; notices the leader. True when no process is left below this one. */
bool job_reap(struct job *job);

struct client *job_add_client(struct job *job, int descriptor, unsigned char streams);
void job_drop_client(struct job *job, int index);

/* Another client, who is shown what is kept first. */
void job_attach(struct job *job, const struct control *message, int descriptor);

/* X to everybody. */
void job_tell_end(struct job *job);

/* Everything that is kept, as frames. */
void replay(struct outbox *out, const struct record *record, unsigned char streams);

/* What a client sent; false when it is gone. */
bool client_listen(struct job *job, struct client *client);

#endif
