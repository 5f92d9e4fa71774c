#include "build.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../descriptors.h"
#include "../fail.h"
#include "../harden.h"
#include "../seccomp.h"
#include "family.h"
#include "stage.h"

static void make_pipe(int *ends) {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
}

static void put(int descriptor, int place) {
    if (dup2(descriptor, place) < 0) fail("cannot place a descriptor");
}

/* What a user has of these is counted for all sandboxes of an ordinary user together, and for the user as well. The one
 * who makes a namespace may set how many there are in it, and nobody below. */
static void limit_namespace(void) {
    static const struct {
        const char *name, *most;
    } limits[] = {{"max_inotify_instances", "64"}, {"max_inotify_watches", "65536"}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "/proc/sys/user/%s", limits[i].name);
        int file = open(path, O_WRONLY | O_CLOEXEC);
        if (file < 0 || write(file, limits[i].most, strlen(limits[i].most)) < 0) fail("cannot limit %s", limits[i].name);
        close(file);
    }
}

/* Nothing of the caller's is open any more when the family is joined, and nobody there can look into this process. */
static _Noreturn void become_bubblewrap(char **program, void (*prepare)(void)) {
    static char *environment[] = {NULL};
    syscall(SYS_close_range, FILTER + 1, ~0u, 0);
    const char *failed = hide_memory();
    if (failed != NULL) fail("cannot hide from the family: %s", failed);
    prepare();
    family_join();
    limit_namespace();
    /* Who may not read a program cannot look into who runs it; with rights one may read everything. */
    failed = give_up_privileges();
    if (failed != NULL) fail("cannot give up rights: %s", failed);
    if (seccomp_install(FILTER_BUILDER) != 0)
        fail("the filter of system calls was refused");
    execve(STAGED_PROGRAM, program, environment);
    fail("cannot start %s", program[0]);
}

struct built build(char **program, void (*prepare)(void)) {
    int said[2], started[2], log[2];
    make_pipe(said);
    make_pipe(started);
    make_pipe(log);
    pid_t child = fork();
    if (child < 0) fail("cannot start %s", program[0]);
    if (child == 0) {
        put(said[1], INFO);
        put(started[1], STARTED);
        put(log[1], STDOUT_FILENO);
        put(log[1], STDERR_FILENO);
        become_bubblewrap(program, prepare);
    }
    close(said[1]);
    close(started[1]);
    close(log[1]);
    return (struct built){child, said[0], started[0], log[0]};
}
