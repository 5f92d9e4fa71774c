/* What the kernel counted against the sandbox's limits, so that a command's end can be told by its cause. */
#ifndef HUSK_COUNTERS_H
#define HUSK_COUNTERS_H

#include <stdbool.h>

#include "descriptors.h"

struct counters {
    long long memory_kills; /* processes killed for want of memory */
    long long refused_forks; /* processes that could not be made */
};

/* Marks the two descriptors as the agent's own. Where nothing counts their numbers are taken all the same, so that
   nothing else is ever found behind them. */
void counters_keep(void);

/* As they are now; zero where nobody counts. */
struct counters counters_now(void);

/* Finds `NAME NUMBER` on a line of its own; -1 if there is none. */
long long counter_in(const char *text, const char *name);

#endif
