#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fields.h"
#include "measure.h"
#include "seccomp.h"
#include "settings.h"

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

static const char *path_of(char *const *environment) {
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, "PATH=", 5) == 0) return *environment + 5;
    return USUAL_PATH;
}

/* A program that is there but whose interpreter is not is "not executable", not "not found". */
static int try_program(const char *path, const struct spawn *what) {
    execve(path, what->arguments, what->environment);
    int error = errno;
    struct stat found;
    if (error == ENOENT && stat(path, &found) == 0) return ENOEXEC;
    return error;
}

static int try_path(const struct spawn *what) {
    const char *name = what->arguments[0];
    if (name[0] == '\0') return ENOENT;
    if (strchr(name, '/') != NULL) return try_program(name, what);
    int error = ENOENT;
    for (const char *at = path_of(what->environment);; at++) {
        size_t length = strcspn(at, ":");
        char path[4096];
        int wanted = snprintf(path, sizeof path, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
        int tried = wanted < (int)sizeof path ? try_program(path, what) : ENAMETOOLONG;
        if (tried != ENOENT && tried != ENOTDIR) error = tried;
        if (tried != ENOENT && tried != ENOTDIR && tried != EACCES && tried != ENAMETOOLONG) return tried;
        at += length;
        if (*at == '\0') return error;
    }
}

static void usual_signals(void) {
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* When memory runs out, commands go before the agent that has to tell of it. Whoever hides its memory may not say so
   of itself; what is open at this moment is a command's already. */
static void die_first(void) {
    prctl(PR_SET_DUMPABLE, 1, 1, 0, 0); /* the third is for bubblewrap's filter, which we have too */
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, "500", 3) != 3) errno = 0; /* one of the host's may stand higher already */
    if (file >= 0) close(file);
}

/* Above 2 and out of the way, so that placing one does not overwrite another. */
static int above(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 10); }

static bool place_streams(const struct spawn *what) {
    int input = above(what->input), output = above(what->output), errors = above(what->errors);
    return dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0;
}

/* Files can be removed and made smaller, so that there is a way back. */
static void write_nothing(void) {
    struct rlimit nothing = {0, 0};
    setrlimit(RLIMIT_FSIZE, &nothing);
    if (settings.seccomp && seccomp_install(FILTER_FULL) != 0) _exit(126);
}

static _Noreturn void child(const struct spawn *what, int report) {
    struct spawn_failure failure = {SPAWN_EXEC, 0};
    setsid();
    if (what->announced != NULL) *what->announced = getpid();
    usual_signals();
    umask(022);
    if (!place_streams(what)) failure.error = errno;
    else if (what->terminal && ioctl(0, TIOCSCTTY, 0) != 0) failure.error = errno;
    else if (chdir(what->cwd) != 0) failure = (struct spawn_failure){SPAWN_DIRECTORY, errno};
    else {
        /* Nothing of the agent passes the border of a program. */
        if (report > 3) syscall(SYS_close_range, 3, report - 1, 0);
        syscall(SYS_close_range, report + 1, ~0u, 0);
        if (!settings.host) die_first();
        if (workspace_is_full()) write_nothing();
        failure.error = try_path(what);
    }
    if (write(report, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

pid_t spawn(const struct spawn *what, struct spawn_failure *failure) {
    int report[2];
    *failure = (struct spawn_failure){SPAWN_FORK, 0};
    if (pipe2(report, O_CLOEXEC) != 0) {
        failure->error = errno;
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) child(what, report[1]);
    failure->error = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0 && read(report[0], failure, sizeof *failure) == sizeof *failure) {
        waitpid(pid, NULL, 0);
        pid = -1;
    }
    close(report[0]);
    return pid;
}

static bool same_name(const char *left, const char *right) {
    size_t length = strcspn(left, "=");
    return strncmp(left, right, length + 1) == 0;
}

char **environment_of(const struct fields *request) {
    size_t count = 0, most = settings.environment_count + fields_count(request, "env") + 1;
    const char **all = calloc(most, sizeof *all);
    if (all == NULL) return NULL;
    for (size_t i = 0; i < settings.environment_count; i++) all[count++] = settings.environment[i];
    for (const char *at = NULL; (at = fields_next(request, "env", at)) != NULL;) {
        size_t same = 0;
        while (same < count && !same_name(at, all[same])) same++;
        all[same] = at;
        if (same == count) count++;
    }
    return (char **)(uintptr_t)all;
}
