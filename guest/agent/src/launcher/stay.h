/* What stays outside of a sandbox while it lives: it holds on to the family and keeps the log. */
#ifndef HUSK_STAY_H
#define HUSK_STAY_H

#include <sys/types.h>

#include "build.h"

/* The sandbox's first process, as the host numbers it, and a descriptor of it. */
struct first {
    pid_t number;
    int process;
};

/* What is needed to find it once the host's /proc is no longer to be seen. */
int stay_prepare(void);

/* Waits until the agent has started, and ends what has started it; ends with it if it does not. */
struct first stay_until_started(const struct built *built, int numbers, int log);

/* Until the sandbox has ended. */
_Noreturn void stay(const struct first *first, const struct built *built, int log);

#endif
