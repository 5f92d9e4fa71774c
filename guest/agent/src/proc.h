/* The processes of the sandbox, as /proc shows them. */
#ifndef HUSK_PROC_H
#define HUSK_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
    pid_t pid, parent, session;
    char state;
    int threads;
    unsigned long long user_ticks, system_ticks; /* with those of children it has waited for */
    long long resident_pages;
};

struct processes {
    struct process *list;
    size_t count;
};

/* Reads a line of /proc/PID/stat; the name in it may hold anything. */
bool parse_stat(const char *line, struct process *process);

/* Whether all of it has ended: of one whose first thread has, the others may go on. */
bool has_ended(const struct process *process);

/* False when there was no memory or no /proc. */
bool processes_read(struct processes *processes);

/* Keeps only what descends from this process, which itself is left out. */
void processes_below(struct processes *processes, pid_t ancestor);
void processes_free(struct processes *processes);

#endif
