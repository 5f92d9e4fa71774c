#ifndef HUSK_BUILD_H
#define HUSK_BUILD_H

#include <sys/types.h>

/* Bubblewrap and the agent, as seen from outside the family. */
struct built {
    pid_t bubblewrap;
    int said;    /* what bubblewrap says of its child */
    int started; /* ends when the agent has started, or nobody is left who could */
    int log;     /* what any of them says */
};

/* Starts bubblewrap on the stage, as one of the family that was entered. `prepare` sets limits there. */
struct built build(char **program, void (*prepare)(void));

#endif
