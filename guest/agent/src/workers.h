/* The agent's own processes. */
#ifndef HUSK_WORKERS_H
#define HUSK_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { WORKERS_MAX = 4096 };

/* Forks. In the child nothing of the first process is left open but 0 to 2 and what is listed (-1 is none).
   -1 with errno when it cannot be done. */
pid_t worker_fork(bool final, const int *keep, size_t kept);

/* True if the process is the agent's own. */
bool worker_is(pid_t pid);

/* Forgets it; says whether the agent is to leave with it. */
bool worker_ended(pid_t pid);

#endif
