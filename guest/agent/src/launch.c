#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "counters.h"
#include "fail.h"
#include "family.h"
#include "fields.h"
#include "give.h"
#include "limits.h"
#include "stage.h"

enum { LISTENER = 3, PROXY_DIRECTORY = 4, INFO = 5, VARIABLES = 8, FIRST_OTHER = 9 };

static struct plan {
    const char *socket, *proxy, *info, *log, *memory_events, *process_events, *variables;
    long long identity; /* -1: stay who we are */
    long long family;   /* -1: none, 0: a new one, else its first process */
} plan = {.identity = -1, .family = -1};

/* Takes one option and its value. Limits and groups are applied right away, in their order. */
static void take_option(const char *name, const char *value) {
    errno = 0;
    if (value == NULL) fail("launch: %s lacks a value", name);
    if (strcmp(name, "--socket") == 0) plan.socket = value;
    else if (strcmp(name, "--proxy-dir") == 0) plan.proxy = value;
    else if (strcmp(name, "--info") == 0) plan.info = value;
    else if (strcmp(name, "--log") == 0) plan.log = value;
    else if (strcmp(name, "--oom-file") == 0) plan.memory_events = value;
    else if (strcmp(name, "--pids-file") == 0) plan.process_events = value;
    else if (strcmp(name, "--env-file") == 0) plan.variables = value;
    else if (strcmp(name, "--cgroup") == 0) enter_cgroup(value);
    else if (strcmp(name, "--own") == 0 && !give_remember(value)) fail("launch: too many folders of its own");
    else if (strcmp(name, "--own") == 0) return;
    else if (strcmp(name, "--rlimit") == 0 || strcmp(name, "--cpus") == 0 || strcmp(name, "--family") == 0) return;
    else if (strcmp(name, "--identity") != 0) fail("launch: unknown option %s", name);
    else if (!parse_number(value, 10, 1, 4294967293, &plan.identity)) fail("launch: not a user: %s", value);
}

/* Limits come last: a small `nofile` must not stand in the way of what is opened here. */
static void apply_limits(char **from, char **to) {
    for (char **at = from; at < to; at += 2) {
        if (strcmp(at[0], "--rlimit") == 0) set_limit(at[1]);
        if (strcmp(at[0], "--cpus") == 0) set_cpus(at[1]);
    }
}

/* Known before everything else: a new family's first process must have nothing of the sandbox's, nor be in its groups. */
static void take_family(char **at) {
    long long identity = geteuid();
    for (; at[0] != NULL && at[1] != NULL && strcmp(at[0], "--") != 0; at += 2) {
        errno = 0;
        if (strcmp(at[0], "--identity") == 0 && !parse_number(at[1], 10, 1, 4294967293, &identity))
            fail("launch: not a user: %s", at[1]);
        if (strcmp(at[0], "--family") != 0) continue;
        if (strcmp(at[1], "new") == 0) plan.family = 0;
        else if (!parse_number(at[1], 10, 2, INT_MAX, &plan.family)) fail("launch: not a family: %s", at[1]);
    }
    if (plan.family == 0) plan.family = family_make((uid_t)identity);
}

static void place(int descriptor, int wanted) {
    if (descriptor < 0) return;
    if (descriptor == wanted) {
        fcntl(wanted, F_SETFD, 0);
        return;
    }
    if (dup2(descriptor, wanted) < 0) fail("cannot place a descriptor");
    close(descriptor);
}

static int open_listener(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path) fail("cannot listen at %s", path);
    strcpy(address.sun_path, path);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    mode_t usual = umask(0177);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0)
        fail("cannot listen at %s", path);
    umask(usual);
    if (listen(listener, 128) != 0) fail("cannot listen at %s", path);
    return listener;
}

static void open_log(void) {
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0) fail("cannot open /dev/null");
    place(null, STDIN_FILENO);
    if (plan.log == NULL) return;
    int log = open(plan.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) fail("cannot write the log %s", plan.log);
    if (dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0) fail("cannot write the log %s", plan.log);
    close(log);
}

static int open_proxy(void) {
    int found = plan.identity < 0 ? open(plan.proxy, O_PATH | O_DIRECTORY | O_CLOEXEC)
                                  : stage_directory(plan.proxy, (uid_t)plan.identity);
    if (found < 0) fail("cannot open the proxy's directory %s", plan.proxy);
    return found;
}

/* Keeps descriptors out of the way of their final places until all of them are open. */
static int aside(int descriptor) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 20);
    if (moved < 0) fail("cannot keep a descriptor");
    close(descriptor);
    return moved;
}

static int open_to_read(const char *path) {
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (path != NULL && file < 0) fail("cannot read %s", path);
    return file < 0 ? -1 : aside(file);
}

static void open_all(void) {
    int listener = plan.socket == NULL ? -1 : aside(open_listener(plan.socket));
    int proxy = plan.proxy == NULL ? -1 : aside(open_proxy());
    int info = plan.info == NULL ? -1 : aside(open(plan.info, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    int memory_events = open_to_read(plan.memory_events), process_events = open_to_read(plan.process_events);
    int variables = open_to_read(plan.variables);
    place(listener, LISTENER);
    place(proxy, PROXY_DIRECTORY);
    place(info, INFO);
    place(memory_events, MEMORY_EVENTS);
    place(process_events, PROCESS_EVENTS);
    place(variables, VARIABLES);
}

void launch(char **arguments) {
    static char *environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    setsid();
    syscall(SYS_close_range, LISTENER, ~0u, 0);
    take_family(arguments);
    char **at = arguments;
    for (; *at != NULL && strcmp(*at, "--") != 0; at += 2) take_option(at[0], at[1]);
    errno = 0;
    if (at[0] == NULL || at[1] == NULL) fail("launch: no program after --");
    if (plan.identity >= 0 && geteuid() != 0) fail("launch: --identity is for root alone");
    open_log();
    open_all();
    if (plan.identity >= 0) stage(at + 2, (uid_t)plan.identity);
    apply_limits(arguments, at);
    if (plan.identity >= 0) leave_groups();
    if (plan.family > 0) family_enter((pid_t)plan.family);
    if (plan.identity >= 0) become((uid_t)plan.identity);
    syscall(SYS_close_range, FIRST_OTHER, ~0u, 0);
    environ = environment;
    if (plan.family > 0 && plan.info != NULL) family_run((pid_t)plan.family, at + 1, INFO);
    execvp(at[1], at + 1);
    fail("cannot start %s", at[1]);
}
