#include "counters.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"

long long counter_in(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, name, length) == 0 && line[length] == ' ') return strtoll(line + length + 1, NULL, 10);
    }
    return -1;
}

/* Cgroup files are made anew for each read from their beginning. */
static long long read_counter(int file, const char *name) {
    char text[1024];
    ssize_t count = pread(file, text, sizeof text - 1, 0);
    if (count < 0) return 0;
    text[count] = '\0';
    long long found = counter_in(text, name);
    return found < 0 ? 0 : found;
}

static void reserve(int descriptor) {
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) return;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null == descriptor) return;
    if (null < 0 || dup3(null, descriptor, O_CLOEXEC) < 0) fail("serve: cannot keep the descriptor %d", descriptor);
    close(null);
}

void counters_keep(void) {
    reserve(MEMORY_EVENTS);
    reserve(PROCESS_EVENTS);
}

struct counters counters_now(void) {
    return (struct counters){read_counter(MEMORY_EVENTS, "oom_kill"), read_counter(PROCESS_EVENTS, "max")};
}
