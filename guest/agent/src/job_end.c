/* How a command ends: by itself, or with its whole tree. */
#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "job.h"
#include "tree.h"

static int64_t ms_of(struct timeval time) { return (int64_t)time.tv_sec * 1000 + time.tv_usec / 1000; }

/* What is readable at this moment is the command's; what comes later is of those it left behind. */
static void measure_rest(struct job *job) {
    for (int i = 0; i < 2; i++) {
        int readable = 0;
        if (job->output[i] >= 0) ioctl(job->output[i], FIONREAD, &readable);
        job->left[i] = job->linger || job->terminal ? -1 : readable;
    }
    job->drain_until = job->terminal && !job->linger ? now_ms() + 1000 : 0;
}

static void leader_ended(struct job *job, int status, const struct rusage *usage) {
    struct record *record = job->record;
    if (WIFSIGNALED(status)) record->signal = WTERMSIG(status);
    else record->code = WEXITSTATUS(status);
    record->reason = reason_of(record);
    record->ended_ms = unix_ms();
    record->wall_ms = now_ms() - job->started;
    record->user_ms = ms_of(usage->ru_utime);
    record->system_ms = ms_of(usage->ru_stime);
    record->max_rss_kb = usage->ru_maxrss;
    job->over = true;
    measure_rest(job);
}

bool job_reap(struct job *job) {
    int status;
    struct rusage usage;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0)
        if (pid == job->record->leader && !job->over) leader_ended(job, status, &usage);
    return pid < 0 && errno == ECHILD;
}

void job_kill_tree(struct job *job, enum reason reason) {
    if (job->record->doom == 0) job->record->doom = (int)reason;
    /* This process adopts what loses its parent, so "no children" means that all of it is gone. */
    int64_t patience = now_ms() + 10000;
    for (long pause = 1; now_ms() < patience; pause = pause < 20 ? pause + 1 : 20) {
        kill_tree_once(getpid());
        if (job_reap(job)) return;
        pause_ms(pause);
        if (job_reap(job)) return;
    }
}
