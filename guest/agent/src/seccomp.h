/* The filter of system calls, written by hand as BPF. What it refuses is in docs/agent-protocol.md. */
#ifndef HUSK_SECCOMP_H
#define HUSK_SECCOMP_H

#include <stdbool.h>
#include <stddef.h>

struct sock_filter;

/* The filter; the same instructions at every call. */
const struct sock_filter *seccomp_filter(unsigned short *length);

/* Installs it for this process and all it will start; 0, or -1 with errno. */
int seccomp_install(void);

/* The role `husk-agent seccomp`: the raw instructions on standard output, or those for porters. */
int seccomp_print(bool porter);

#endif
