#include "tree.h"

#include <signal.h>
#include <unistd.h>

#include "proc.h"

int signal_one(pid_t pid, int signal) {
    int result = kill(pid, signal);
    /* A stopped process would keep the signal until somebody lets it go on, which may be never. */
    if (result == 0 && (signal == SIGTERM || signal == SIGHUP || signal == SIGINT)) kill(pid, SIGCONT);
    return result;
}

static int signal_all(const struct processes *processes, int signal, bool (*spare)(pid_t)) {
    int count = 0;
    for (size_t i = 0; i < processes->count; i++) {
        const struct process *one = &processes->list[i];
        if (has_ended(one) || one->pid == getpid() || (spare != NULL && spare(one->pid))) continue;
        if (signal_one(one->pid, signal) == 0) count++;
    }
    return count;
}

int signal_tree(pid_t ancestor, int signal) {
    struct processes processes;
    if (!processes_read(&processes)) return 0;
    processes_below(&processes, ancestor);
    int count = signal_all(&processes, signal, NULL);
    processes_free(&processes);
    return count;
}

int kill_tree_once(pid_t ancestor) {
    /* A process that forked while /proc was read is found by the next look; a stopped one cannot fork. */
    int before = -1, stopped = 0;
    for (int look = 0; look < 8 && stopped != before; look++) {
        before = stopped;
        stopped = signal_tree(ancestor, SIGSTOP);
    }
    return signal_tree(ancestor, SIGKILL);
}

static int pass(bool (*spare)(pid_t), int signal) {
    struct processes processes;
    if (!processes_read(&processes)) return 0;
    if (getpid() != 1) processes_below(&processes, getpid());
    int count = signal_all(&processes, signal, spare);
    processes_free(&processes);
    return count;
}

int kill_others_once(bool (*spare)(pid_t)) {
    int before = -1, stopped = 0;
    for (int look = 0; look < 8 && stopped != before; look++) {
        before = stopped;
        stopped = pass(spare, SIGSTOP);
    }
    return pass(spare, SIGKILL);
}
