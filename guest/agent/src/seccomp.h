/* The filters of system calls, written by hand as BPF. What they refuse is in docs/agent-protocol.md. */
#ifndef HUSK_SECCOMP_H
#define HUSK_SECCOMP_H

enum filter {
    FILTER_INSIDE,           /* of whatever runs in a sandbox */
    FILTER_FIXED_PROCESSORS, /* the same where processors are chosen for it */
    FILTER_PORTER,           /* of who lets kernels in */
    FILTER_PORTER_FIXED_PROCESSORS, /* the same where processors are chosen */
    FILTER_BUILDER,          /* of bubblewrap */
    FILTER_STARTING,         /* of the agent until it has hidden itself, and then has one of those above */
    FILTER_FULL,             /* on top of the first two: of who is started while the workspace is full */
    FILTER_FAMILY,           /* of a family's first process, which waits and ends */
};

/* Installs one for this process and all it will start; 0, or -1 with errno. */
int seccomp_install(enum filter filter);

/* Writes the raw instructions of one; 0, or 1. */
int seccomp_write(enum filter filter, int file);

/* The role `husk-agent seccomp NAME`: the raw instructions on standard output. The program's exit code. */
int seccomp_print(const char *name);

#endif
