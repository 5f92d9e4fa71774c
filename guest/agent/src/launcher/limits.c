#include "limits.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../fail.h"
#include "../fields.h"

static int resource_of(const char *name, size_t length) {
    static const struct {
        const char *name;
        int resource;
    } known[] = {{"nofile", RLIMIT_NOFILE}, {"nproc", RLIMIT_NPROC}, {"fsize", RLIMIT_FSIZE}, {"as", RLIMIT_AS},
                 {"data", RLIMIT_DATA},     {"core", RLIMIT_CORE},   {"cpu", RLIMIT_CPU},     {"stack", RLIMIT_STACK},
                 {"memlock", RLIMIT_MEMLOCK}, {"msgqueue", RLIMIT_MSGQUEUE}, {"sigpending", RLIMIT_SIGPENDING}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0) return known[i].resource;
    return -1;
}

void set_limit(const char *setting) {
    const char *value = strchr(setting, '=');
    int resource = value == NULL ? -1 : resource_of(setting, (size_t)(value - setting));
    long long number;
    errno = 0;
    if (resource < 0 || !parse_number(value + 1, 10, 0, INT64_MAX, &number)) fail("not a limit: %s", setting);
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) fail("cannot read the limit %s", setting);
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)number) limit.rlim_max = (rlim_t)number;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(resource, &limit) != 0) fail("cannot set the limit %s", setting);
}

/* Reads one number and moves on; ULONG_MAX if there is none. */
static unsigned long next_number(char **at) {
    return isdigit((unsigned char)**at) ? strtoul(*at, at, 10) : ULONG_MAX;
}

void set_cpus(const char *list) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    char *at = (char *)(uintptr_t)list;
    for (bool more = true; more; at++) {
        unsigned long first = next_number(&at), last = first;
        if (*at == '-') at++, last = next_number(&at);
        more = *at == ',';
        errno = 0;
        if (first > last || last >= CPU_SETSIZE || (*at != '\0' && !more)) fail("not a list of processors: %s", list);
        for (unsigned long cpu = first; cpu <= last; cpu++) CPU_SET(cpu, &cpus);
    }
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) fail("cannot keep to the processors %s", list);
}

/* A thread that moves itself goes at once. A process, even one of a single thread, waits until every processor of the
 * machine has taken note, which takes ten milliseconds; so that is only done where there is no other way (version 2). */
void enter_cgroup(const char *directory) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tasks", directory);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        snprintf(path, sizeof path, "%s/cgroup.procs", directory);
        file = open(path, O_WRONLY | O_CLOEXEC);
    }
    if (file < 0 || write(file, "0", 1) != 1) fail("cannot enter the control group %s", directory);
    close(file);
}
