#include "stay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fail.h"

/* What a sandbox has to say for itself is no more than this: the file is the host's. */
enum { LOG_MOST = 256 * 1024, TEXT = 4096 };

int stay_prepare(void) {
    int numbers = open("/proc/self/fdinfo", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (numbers < 0) fail("cannot open /proc/self/fdinfo");
    return numbers;
}

/* --- the log */

static size_t kept;

/* False when nobody is left who could say anything. */
static bool keep_log(int from, int log) {
    char said[TEXT];
    ssize_t length = read(from, said, sizeof said);
    if (length < 0) return errno == EINTR || errno == EAGAIN;
    size_t room = LOG_MOST - kept, taken = (size_t)length < room ? (size_t)length : room;
    if (taken > 0 && write(log, said, taken) > 0) kept += taken;
    return length > 0;
}

static void keep_rest_of_log(int from, int log) {
    fcntl(from, F_SETFL, O_NONBLOCK);
    for (char said[TEXT]; kept < LOG_MOST;) {
        ssize_t length = read(from, said, sizeof said);
        if (length <= 0 || write(log, said, (size_t)length) != length) return;
        kept += (size_t)length;
    }
}

/* --- the first process */

/* Only whoever is born in the family knows its numbers; the descriptor it opens is ours too. */
static int open_inner(long inner) {
    int status;
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        long opened = syscall(SYS_pidfd_open, (pid_t)inner, 0);
        _exit(opened < 0 || opened > 250 ? 255 : (int)opened);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 255) return -1;
    return WEXITSTATUS(status);
}

static pid_t outer_number(int process, int numbers) {
    char name[16], text[TEXT];
    snprintf(name, sizeof name, "%d", process);
    int info = openat(numbers, name, O_RDONLY | O_CLOEXEC);
    ssize_t length = info < 0 ? -1 : read(info, text, sizeof text - 1);
    if (info >= 0) close(info);
    if (length <= 0) return 0;
    text[length] = '\0';
    const char *found = strstr(text, "Pid:");
    return found == NULL ? 0 : (pid_t)strtol(found + strlen("Pid:"), NULL, 10);
}

static long read_inner(int said) {
    char text[TEXT];
    size_t length = 0;
    ssize_t more;
    while (length < sizeof text - 1 && (more = read(said, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)more;
    text[length] = '\0';
    char *found = strstr(text, "\"child-pid\":");
    return found == NULL ? 0 : strtol(found + strlen("\"child-pid\":"), NULL, 10);
}

/* --- waiting */

static bool ended(const struct pollfd *watched) { return (watched->revents & (POLLIN | POLLHUP | POLLERR)) != 0; }

/* The log is read meanwhile: whoever writes more than a pipe holds would wait for it. */
static void await(int descriptor, const struct built *built, int log) {
    bool talking = true;
    for (;;) {
        struct pollfd watched[] = {{descriptor, POLLIN, 0}, {talking ? built->log : -1, POLLIN, 0}};
        if (poll(watched, 2, -1) < 0) continue;
        if (talking && ended(&watched[1])) talking = keep_log(built->log, log);
        if (ended(&watched[0])) return;
    }
}

static _Noreturn void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 125);
}

static _Noreturn void give_up(const struct built *built, int log) {
    int status = 0;
    kill(built->bubblewrap, SIGKILL);
    while (waitpid(built->bubblewrap, &status, 0) < 0 && errno == EINTR) continue;
    keep_rest_of_log(built->log, log);
    end_as(status);
}

struct first stay_until_started(const struct built *built, int numbers, int log) {
    await(built->said, built, log);
    long inner = read_inner(built->said);
    int process = inner <= 0 ? -1 : open_inner(inner);
    struct first first = {process < 0 ? 0 : outer_number(process, numbers), process};
    await(built->started, built, log);
    /* Who failed has ended, or is about to. */
    struct pollfd failed = {process, POLLIN, 0};
    if (first.number <= 0 || poll(&failed, 1, 0) != 0) give_up(built, log);
    /* Nobody of the family is to stay who is not in a sandbox and need not be there. */
    kill(built->bubblewrap, SIGKILL);
    while (waitpid(built->bubblewrap, NULL, 0) < 0 && errno == EINTR) continue;
    close(built->said);
    close(built->started);
    close(numbers);
    return first;
}

void stay(const struct first *first, const struct built *built, int log) {
    await(first->process, built, log);
    keep_rest_of_log(built->log, log);
    _exit(0);
}
