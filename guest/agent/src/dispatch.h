/* The operations that concern commands, and how a connection is left to a worker. */
#ifndef HUSK_DISPATCH_H
#define HUSK_DISPATCH_H

#include "agent.h"

void do_run(struct connection *connection, const struct fields *request);
void do_attach(struct connection *connection, const struct fields *request);

/* For a worker, which may wait. */
void become_blocking(int descriptor);

/* The client is told that no worker could be made; errno says why. */
void no_process(struct connection *connection);

/* The worker has its own copy of the descriptor; `final` is its business now. */
void leave_to_worker(struct connection *connection);

#endif
