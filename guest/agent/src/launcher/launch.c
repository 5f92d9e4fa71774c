#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "../descriptors.h"
#include "../fail.h"
#include "../fields.h"
#include "../harden.h"
#include "../seccomp.h"
#include "build.h"
#include "family.h"
#include "give.h"
#include "limits.h"
#include "mounts.h"
#include "outer.h"
#include "stage.h"
#include "stay.h"
#include "view.h"

enum { LIMITS_MAX = 64 };

static struct plan {
    const char *socket, *proxy, *info, *log, *memory_events, *process_events, *variables;
    long long identity; /* as whom the host knows the sandbox; -1: as who we are */
    long long family;   /* -1: none, 0: a new one, else its first process */
    const char *groups[LIMITS_MAX], *limits[LIMITS_MAX], *processors;
    int groups_count, limits_count;
    char **program;
} plan = {.identity = -1, .family = -1};

static void add(const char **list, int *count, const char *value) {
    errno = 0;
    if (*count == LIMITS_MAX) fail("launch: more than %d limits", LIMITS_MAX);
    list[(*count)++] = value;
}

static void take_family(const char *value) {
    if (strcmp(value, "new") == 0) plan.family = 0;
    else if (!parse_number(value, 10, 2, INT_MAX, &plan.family)) fail("launch: not a family: %s", value);
}

static void take_option(const char *name, const char *value) {
    if (strcmp(name, "--socket") == 0) plan.socket = value;
    else if (strcmp(name, "--proxy-dir") == 0) plan.proxy = value;
    else if (strcmp(name, "--info") == 0) plan.info = value;
    else if (strcmp(name, "--log") == 0) plan.log = value;
    else if (strcmp(name, "--oom-file") == 0) plan.memory_events = value;
    else if (strcmp(name, "--pids-file") == 0) plan.process_events = value;
    else if (strcmp(name, "--env-file") == 0) plan.variables = value;
    else if (strcmp(name, "--cpus") == 0) plan.processors = value;
    else if (strcmp(name, "--cgroup") == 0) add(plan.groups, &plan.groups_count, value);
    else if (strcmp(name, "--rlimit") == 0) add(plan.limits, &plan.limits_count, value);
    else if (strcmp(name, "--family") == 0) take_family(value);
    else if (strcmp(name, "--own") == 0 && !give_remember(value)) fail("launch: too many folders of its own");
    else if (strcmp(name, "--own") == 0) return;
    else if (strcmp(name, "--identity") != 0) fail("launch: unknown option %s", name);
    else if (!parse_number(value, 10, 1, 4294967293, &plan.identity)) fail("launch: not a user: %s", value);
}

static void read_plan(char **at) {
    errno = 0;
    for (int values; *at != NULL && strcmp(*at, "--") != 0; at += 1 + values) {
        int seen = view_values(*at);
        values = seen > 0 ? seen : 1;
        for (int i = 1; i <= values; i++)
            if (at[i] == NULL) fail("launch: %s lacks a value", *at);
        if (seen > 0) view_add(at[0], at + 1);
        else take_option(at[0], at[1]);
    }
    if (at[0] == NULL || at[1] == NULL) fail("launch: no program after --");
    plan.program = at + 1;
}

/* --- descriptors */

/* Nothing is opened by accident where something else belongs, and there is room for all that a view is made of. */
static void reserve(void) {
    struct rlimit room;
    if (getrlimit(RLIMIT_NOFILE, &room) == 0) {
        room.rlim_cur = room.rlim_max;
        setrlimit(RLIMIT_NOFILE, &room);
    }
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
    while (true) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (null < 0) fail("cannot open /dev/null");
        if (null < RESERVED) continue;
        close(null);
        return;
    }
}

static void place(int descriptor, int wanted) {
    if (descriptor < 0) return;
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

/* What we say ourselves goes there at once; what the sandbox says, by and by, and not all of it. */
static int open_log(void) {
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0) fail("cannot open /dev/null");
    place(null, STDIN_FILENO);
    if (plan.log == NULL) return STDERR_FILENO;
    int log = open(plan.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) fail("cannot write the log %s", plan.log);
    if (dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0) fail("cannot write the log %s", plan.log);
    return log;
}

static int open_to_read(const char *path) {
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (path != NULL && file < 0) fail("cannot read %s", path);
    return file;
}

static int open_info(void) {
    int info = plan.info == NULL ? -1 : open(plan.info, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (plan.info != NULL && info < 0) fail("cannot write %s", plan.info);
    return info;
}

static void open_all(void) {
    place(plan.socket == NULL ? -1 : open_listener(plan.socket), LISTENER);
    place(open_to_read(plan.memory_events), MEMORY_EVENTS);
    place(open_to_read(plan.process_events), PROCESS_EVENTS);
    place(open_to_read(plan.variables), VARIABLES);
}

/* A clone that stands alone: from within it no way leads up to the folders above. */
static void open_proxy(bool walled) {
    if (plan.proxy == NULL) return;
    int found = walled ? clone_tree(plan.proxy) : open(plan.proxy, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int users = plan.identity < 0 ? -1 : idmap_namespace((uid_t)plan.identity);
    if (found < 0 || (users >= 0 && !idmap_tree(found, users) && !give(plan.proxy, (uid_t)plan.identity)))
        fail("cannot open the proxy's directory %s", plan.proxy);
    if (users >= 0) close(users);
    place(found, PROXY_DIRECTORY);
}

/* For bubblewrap, which has the agent begin with it. */
static int open_filter(void) {
    int filter = memfd_create("husk-filter", MFD_CLOEXEC);
    if (filter < 0 || seccomp_write(FILTER_STARTING, filter) != 0 || lseek(filter, 0, SEEK_SET) != 0)
        fail("cannot write the agent's filter");
    return filter;
}

/* --- limits */

static void apply_limits(void) {
    for (int i = 0; i < plan.limits_count; i++) set_limit(plan.limits[i]);
    if (plan.processors != NULL) set_cpus(plan.processors);
}

static void enter_groups(void) {
    for (int i = 0; i < plan.groups_count; i++) enter_cgroup(plan.groups[i]);
}

/* --- with walls, and without */

static void settle_down(void) {
    uid_t identity = (uid_t)plan.identity;
    if (plan.identity >= 0 && (setresgid(identity, identity, identity) != 0 ||
                               setresuid(identity, identity, identity) != 0))
        fail("cannot become the user %u", identity);
    const char *failed = hide_memory();
    if (failed == NULL) failed = give_up_privileges();
    if (failed != NULL) fail("cannot give up rights: %s", failed);
}

/* This process stays; what it was given is nobody's business. */
static void forget_variables(void) {
    for (char **variable = environ; *variable != NULL; variable++) memset(*variable, 0, strlen(*variable));
}

static _Noreturn void launch_in_family(void) {
    bool root = geteuid() == 0 && getenv("HUSK_ENTERED") == NULL;
    forget_variables();
    errno = 0;
    if (root && plan.identity < 0) fail("launch: root must name an identity for the sandbox");
    if (root && setgroups(0, NULL) != 0) fail("cannot leave the groups of root");
    /* Before everything else: a family's first process has nothing of the sandbox's, nor is it in its groups. */
    pid_t family = (pid_t)plan.family;
    if (family == 0) family = family_make(root ? (uid_t)plan.identity : 0);
    else family_hold(family);
    enter_groups();
    int log = open_log(), info = open_info(), numbers = stay_prepare();
    open_all();
    place(family_users(family), USERS);
    place(open_filter(), FILTER);
    own_mounts();
    open_proxy(true);
    stage(plan.program[0], family, plan.identity);
    struct built built = build(plan.program, apply_limits);
    syscall(SYS_close_range, LISTENER, RESERVED - 1, 0);
    struct first first = stay_until_started(&built, numbers, log);
    dprintf(info, "{\"child-pid\": %d, \"family\": %d, \"launcher\": %d}\n", first.number, family, getpid());
    close(info);
    settle_down();
    stay(&first, &built, log);
}

static _Noreturn void launch_here(void) {
    static char *environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    if (plan.identity >= 0) fail("launch: --identity is for families alone");
    enter_groups();
    open_log();
    open_all();
    open_proxy(false);
    apply_limits();
    environ = environment;
    execvp(plan.program[0], plan.program);
    fail("cannot start %s", plan.program[0]);
}

void launch(char **arguments) {
    read_plan(arguments + 2);
    if (plan.family >= 0) outer_enter(arguments, plan.family);
    setsid();
    reserve();
    if (plan.family >= 0) launch_in_family();
    launch_here();
}
