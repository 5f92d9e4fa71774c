#include "family.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fail.h"
#include "../harden.h"
#include "../seccomp.h"
#include "mounts.h"
#include "stage.h"

/* Where the first process keeps the lock that everybody who holds on to the family has a share in. */
enum { LOCK = 3, LINE = 4 };

enum { AROUND = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP };

static void write_text(pid_t pid, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        fail("cannot make a user namespace for a family: %s", path);
    close(file);
}

static void write_maps(pid_t first, uid_t identity) {
    char map[64];
    snprintf(map, sizeof map, "%d %u 1\n", FAMILY_USER, identity);
    write_text(first, "setgroups", "deny");
    write_text(first, "uid_map", map);
    write_text(first, "gid_map", map);
}

static void become_familys_user(void) {
    if (setresgid(FAMILY_USER, FAMILY_USER, FAMILY_USER) != 0 || setresuid(FAMILY_USER, FAMILY_USER, FAMILY_USER) != 0)
        fail("cannot become the family's user");
}

/* --- the first process */

static void keep_two_descriptors(int line) {
    int kept = fcntl(line, F_DUPFD, LINE + 1), lock = memfd_create("husk-family", 0);
    if (kept < 0 || lock < 0 || dup2(lock, LOCK) < 0 || dup2(kept, LINE) < 0) fail("cannot keep a lock for a family");
    for (int other = 0; other < LOCK; other++) close(other);
    syscall(SYS_close_range, LINE + 1, ~0u, 0);
}

static void stand_nowhere(void) {
    own_mounts();
    int nothing = new_mount("tmpfs", (const char *const[]){"size", "4096", "mode", "0555", NULL},
                            MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    int place = open(STAGE, O_PATH | O_CLOEXEC);
    if (nothing < 0 || place < 0 || !attach_tree(nothing, place)) fail("cannot make an empty root for a family");
    close(nothing);
    close(place);
    become_root(STAGE);
}

static void step(char *said) {
    if (write(LINE, said, 1) != 1 || read(LINE, said, 1) != 1) _exit(0); /* the maker failed, and says why */
}

static _Noreturn void keep_family(int line) {
    char said = 'n';
    signal(SIGCHLD, SIG_IGN); /* whoever is left to us is buried by the system */
    keep_two_descriptors(line);
    stand_nowhere();
    if (unshare(CLONE_NEWUSER) != 0) fail("cannot make a user namespace for a family");
    step(&said);
    become_familys_user();
    const char *failed = hide_memory();
    if (failed == NULL) failed = give_up_privileges();
    if (failed != NULL) fail("cannot shut a family in: %s", failed);
    prctl(PR_SET_NAME, "husk-family");
    step(&said);
    close(LINE);
    if (seccomp_install(FILTER_FAMILY) != 0) _exit(1);
    while (flock(LOCK, LOCK_EX) != 0 && errno == EINTR) continue;
    _exit(0);
}

/* --- its maker */

static void await(int line) {
    char said;
    if (read(line, &said, 1) != 1) errno = 0, fail("a family did not come to be");
}

static void go_on(int line) {
    if (write(line, "g", 1) != 1) fail("cannot start a family");
}

pid_t family_make(uid_t identity) {
    int line[2];
    sigset_t all, before;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0) fail("cannot make a pair of sockets");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t first = (pid_t)syscall(SYS_clone, AROUND | SIGCHLD, NULL, NULL, NULL, NULL);
    if (first < 0) fail("cannot make the namespaces of a family");
    if (first == 0) keep_family(line[0]);
    close(line[0]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    await(line[1]);
    write_maps(first, identity);
    family_hold(first);
    go_on(line[1]);
    await(line[1]);
    go_on(line[1]);
    close(line[1]);
    return first;
}

void family_hold(pid_t family) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", family, LOCK);
    int lock = open(path, O_RDONLY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_SH | LOCK_NB) != 0) fail("cannot hold on to the family of %d", family);
}

/* Whoever writes who is who in a namespace must be readable for others of its user, so nobody of the family may see it:
 * it is no process of theirs. The descriptor that it opens is ours too. */
int family_users(pid_t family) {
    int status, first = (int)syscall(SYS_pidfd_open, family, 0);
    pid_t maker = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
    if (maker == 0) {
        if (first < 0 || setns(first, CLONE_NEWUSER) != 0) _exit(255);
        become_familys_user();
        prctl(PR_SET_DUMPABLE, 1);
        if (unshare(CLONE_NEWUSER) != 0) _exit(255);
        write_maps(getpid(), FAMILY_USER);
        int users = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
        _exit(users < 0 || users > 250 ? 255 : users);
    }
    if (maker < 0 || waitpid(maker, &status, 0) != maker || !WIFEXITED(status) || WEXITSTATUS(status) == 255)
        fail("cannot make a user namespace for a sandbox");
    close(first);
    return WEXITSTATUS(status);
}

void family_join(void) {
    int first = (int)syscall(SYS_pidfd_open, 1, 0);
    if (first < 0 || setns(first, CLONE_NEWUSER) != 0) fail("cannot join a family");
    close(first);
    become_familys_user();
}
