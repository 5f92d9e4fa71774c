#include "watch.h"

#include <stdlib.h>

int poll_present(struct pollfd *watched, size_t count, int timeout) {
    static struct pollfd *present;
    static size_t capacity;
    if (capacity < count) {
        struct pollfd *larger = realloc(present, count * sizeof *present);
        if (larger == NULL) return -1;
        present = larger;
        capacity = count;
    }
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (watched[i].fd >= 0) present[used++] = watched[i];
    int ready = poll(present, used, timeout);
    for (size_t i = 0, at = 0; i < count; i++) {
        watched[i].revents = 0;
        if (watched[i].fd >= 0) watched[i].revents = ready > 0 ? present[at++].revents : 0;
    }
    return ready;
}
