#include "workers.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct worker {
    pid_t pid;
    bool final;
} workers[WORKERS_MAX];
static size_t count;

/* The lowest of the listed descriptors from `from` on, or -1. */
static int next_kept(const int *keep, size_t kept, int from) {
    int found = -1;
    for (size_t i = 0; i < kept; i++)
        if (keep[i] >= from && (found < 0 || keep[i] < found)) found = keep[i];
    return found;
}

static void close_others(const int *keep, size_t kept) {
    int from = 3;
    for (int next; (next = next_kept(keep, kept, from)) >= 0; from = next + 1)
        if (next > from) syscall(SYS_close_range, from, next - 1, 0);
    syscall(SYS_close_range, from, ~0u, 0);
}

/* `kill -TERM -1` inside is meant for commands. */
static void ignore_the_sandbox(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

pid_t worker_fork(bool final, const int *keep, size_t kept) {
    errno = EAGAIN;
    if (count == WORKERS_MAX) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close_others(keep, kept);
        ignore_the_sandbox();
    }
    if (pid > 0) workers[count++] = (struct worker){pid, final};
    return pid;
}

bool worker_is(pid_t pid) {
    for (size_t i = 0; i < count; i++)
        if (workers[i].pid == pid) return true;
    return false;
}

bool worker_ended(pid_t pid) {
    for (size_t i = 0; i < count; i++) {
        if (workers[i].pid != pid) continue;
        bool final = workers[i].final;
        workers[i] = workers[--count];
        return final;
    }
    return false;
}
