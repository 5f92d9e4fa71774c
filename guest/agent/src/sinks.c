#include "sinks.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int sinks[SINKS_MAX];
size_t sinks_count;

static void sink_remove(size_t index) {
    close(sinks[index]);
    memmove(&sinks[index], &sinks[index + 1], (--sinks_count - index) * sizeof sinks[0]);
}

void sink_add(int descriptor) {
    if (sinks_count == SINKS_MAX) sink_remove(0);
    sinks[sinks_count++] = descriptor;
}

void sink_read(size_t index) {
    char forgotten[16384];
    ssize_t count = read(sinks[index], forgotten, sizeof forgotten);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) sink_remove(index);
}
