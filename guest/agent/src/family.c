#include "family.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"

enum { TEXT = 4096, NUDGE = SIGUSR1 };

static void write_text(pid_t pid, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        fail("cannot make a user namespace for a family: %s", path);
    close(file);
}

/* Not often, and with growing patience: whoever leaves tells, but what it started may leave a moment later. */
static bool await_nudge(int quiet) {
    static const struct timespec moments[] = {{0, 5000000}, {0, 20000000}, {0, 100000000}, {1, 0}, {30, 0}};
    int last = (int)(sizeof moments / sizeof moments[0]) - 1;
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, NUDGE);
    sigaddset(&awaited, SIGCHLD);
    return sigtimedwait(&awaited, NULL, &moments[quiet < last ? quiet : last]) > 0;
}

static _Noreturn void keep_family(int ready, uid_t identity) {
    char go;
    if (read(ready, &go, 1) != 1) _exit(0); /* the maker failed */
    if (setresgid(identity, identity, identity) != 0 || setresuid(identity, identity, identity) != 0) _exit(1);
    if (write(ready, &go, 1) != 1) _exit(1);
    syscall(SYS_close_range, 0, ~0u, 0);
    prctl(PR_SET_NAME, "husk-family");
    /* Somebody is on the way in. */
    for (int quiet = 4;; quiet++) {
        if (await_nudge(quiet)) quiet = -1;
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
        if (kill(-1, 0) != 0 && errno == ESRCH) _exit(0);
    }
}

pid_t family_make(uid_t identity) {
    int ready[2];
    sigset_t all;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ready) != 0) fail("cannot make a pair of sockets");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    pid_t first = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, NULL);
    if (first < 0) fail("cannot make a user namespace for a family");
    if (first == 0) {
        close(ready[1]);
        keep_family(ready[0], identity);
    }
    char map[64];
    snprintf(map, sizeof map, "%u %u 1\n", identity, identity);
    write_text(first, "setgroups", "deny");
    write_text(first, "uid_map", map);
    write_text(first, "gid_map", map);
    close(ready[0]);
    /* Whoever moves in becomes who the family is, and looks that up: it must have become so itself. */
    char go = 'g';
    if (write(ready[1], &go, 1) != 1 || read(ready[1], &go, 1) != 1) fail("cannot start a family");
    close(ready[1]);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    return first;
}

void family_enter(pid_t family) {
    int found = (int)syscall(SYS_pidfd_open, family, 0);
    if (found < 0 || setns(found, CLONE_NEWUSER | CLONE_NEWPID) != 0) fail("cannot enter the family of %d", family);
    close(found);
}

/* A process of the family by its number there, as the host numbers it; 0 when it is gone. */
static long outer_number(long inner) {
    int status;
    char path[64], line[128];
    /* Only whoever is born in the family knows its numbers; the descriptor it opens is ours too. */
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        long opened = syscall(SYS_pidfd_open, (pid_t)inner, 0);
        _exit(opened < 0 || opened > 250 ? 255 : (int)opened);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 255) return 0;
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", WEXITSTATUS(status));
    FILE *info = fopen(path, "re");
    long outer = 0;
    while (info != NULL && fgets(line, sizeof line, info) != NULL)
        if (sscanf(line, "Pid: %ld", &outer) == 1) break;
    if (info != NULL) fclose(info);
    close(WEXITSTATUS(status));
    return outer;
}

static void tell_first(int said, int info, pid_t family) {
    char text[TEXT];
    size_t length = 0;
    ssize_t more;
    while (length < sizeof text - 1 && (more = read(said, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)more;
    text[length] = '\0';
    close(said);
    char *found = strstr(text, "\"child-pid\":");
    if (found == NULL) return;
    long outer = outer_number(strtol(found + strlen("\"child-pid\":"), NULL, 10));
    dprintf(info, "{\"child-pid\": %ld, \"family\": %d}\n", outer, family);
}

static _Noreturn void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 125);
}

/* The numbers of processes that the program is given are the family's, so the /proc where it looks them up must be too. */
static void mount_proc(void) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        fail("cannot make a mount namespace for a family");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        fail("cannot mount /proc for a family");
}

void family_run(pid_t family, char **program, int info_place) {
    int said[2], status = 0;
    int info = fcntl(info_place, F_DUPFD_CLOEXEC, 20);
    if (info < 0 || pipe(said) != 0) fail("cannot make a pipe");
    pid_t child = fork();
    if (child < 0) fail("cannot start %s", program[0]);
    if (child == 0) {
        close(said[0]);
        if (dup2(said[1], info_place) < 0) fail("cannot place a descriptor");
        if (said[1] != info_place) close(said[1]);
        mount_proc();
        execvp(program[0], program);
        fail("cannot start %s", program[0]);
    }
    close(said[1]);
    /* What is open belongs to the program: whoever waits for it must not keep any of it. */
    for (int other = 3; other < 64; other++)
        if (other != said[0] && other != info) close(other);
    prctl(PR_SET_DUMPABLE, 1); /* or it could not read about itself, having become somebody else */
    tell_first(said[0], info, family);
    close(info);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    kill(family, NUDGE);
    end_as(status);
}
