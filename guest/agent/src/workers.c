#include "workers.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct worker {
    pid_t pid;
    bool final;
};

/* Written by the first process alone, and read by who measures, too. */
static struct {
    size_t count;
    struct worker list[WORKERS_MAX];
} *workers;

static bool have_room(void) {
    if (workers == NULL) workers = mmap(NULL, sizeof *workers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (workers == MAP_FAILED) workers = NULL;
    return workers != NULL && workers->count < WORKERS_MAX;
}

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
    if (!have_room()) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close_others(keep, kept);
        ignore_the_sandbox();
    }
    if (pid > 0) workers->list[workers->count++] = (struct worker){pid, final};
    return pid;
}

bool worker_is(pid_t pid) {
    for (size_t i = 0; workers != NULL && i < workers->count; i++)
        if (workers->list[i].pid == pid) return true;
    return false;
}

bool worker_ended(pid_t pid) {
    for (size_t i = 0; workers != NULL && i < workers->count; i++) {
        if (workers->list[i].pid != pid) continue;
        bool final = workers->list[i].final;
        workers->list[i] = workers->list[--workers->count];
        return final;
    }
    return false;
}
