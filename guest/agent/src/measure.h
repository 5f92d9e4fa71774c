/* How much the workspace holds, measured again and again by a child of the first process. */
#ifndef HUSK_MEASURE_H
#define HUSK_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shared between the first process and the one that measures. */
struct measured {
    int64_t bytes; /* -1: not yet */
};

/* Allocated bytes below the directories, with something for each file: no links followed, hard links once, also what was deleted but is held open. */
int64_t measure_directories(const char *const *paths, size_t count);

/* Whether it held more than it may when it was last measured. Until it no longer does, nothing more is written. */
bool workspace_is_full(void);

/* Writes a byte to `alarm` when the limit is passed, and again whenever it grew since. */
_Noreturn void measure_work(struct measured *measured, int alarm);

#endif
