/* The newest bytes of a stream, in memory that the first process shares with the handler that writes. */
#ifndef HUSK_RING_H
#define HUSK_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring {
    uint64_t written; /* ever */
    uint64_t limit;   /* bytes kept; 0 keeps nothing */
    char *bytes;
};

void ring_write(struct ring *ring, const char *bytes, size_t length);
uint64_t ring_kept(const struct ring *ring);
uint64_t ring_dropped(const struct ring *ring);

/* Up to two runs of bytes, oldest first; says how long run 0 or 1 is. */
size_t ring_run(const struct ring *ring, int which, const char **bytes);

#endif
