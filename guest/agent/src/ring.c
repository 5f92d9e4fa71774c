#include "ring.h"

#include <string.h>

void ring_write(struct ring *ring, const char *bytes, size_t length) {
    if (ring->limit == 0) return;
    if (length > ring->limit) {
        ring->written += length - ring->limit;
        bytes += length - ring->limit;
        length = ring->limit;
    }
    size_t at = ring->written % ring->limit;
    size_t first = length < ring->limit - at ? length : ring->limit - at;
    memcpy(ring->bytes + at, bytes, first);
    memcpy(ring->bytes, bytes + first, length - first);
    ring->written += length;
}

uint64_t ring_kept(const struct ring *ring) { return ring->written < ring->limit ? ring->written : ring->limit; }

uint64_t ring_dropped(const struct ring *ring) { return ring->limit == 0 ? 0 : ring->written - ring_kept(ring); }

size_t ring_run(const struct ring *ring, int which, const char **bytes) {
    if (ring->limit == 0) return 0;
    size_t start = ring->written <= ring->limit ? 0 : ring->written % ring->limit;
    size_t kept = ring_kept(ring);
    size_t first = kept < ring->limit - start ? kept : ring->limit - start;
    *bytes = which == 0 ? ring->bytes + start : ring->bytes;
    return which == 0 ? first : kept - first;
}
