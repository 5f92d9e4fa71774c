#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fail.h"
#include "mounts.h"
#include "view.h"

enum { ORDINARY = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV };

void own_mounts(void) {
    if (unshare(CLONE_NEWNS) != 0) fail("cannot make a mount namespace");
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) fail("cannot make the mounts private");
}

static int open_place(const char *path) {
    int place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) fail("cannot open %s", path);
    return place;
}

static void attach(int tree, const char *path) {
    int place = open_place(path);
    if (tree < 0 || !attach_tree(tree, place)) fail("cannot attach %s", path);
    close(place);
    close(tree);
}

/* The path where `PATH` finds the program: bubblewrap itself is of the host. */
static int find_program(const char *name) {
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"};
    char path[4096];
    if (strchr(name, '/') != NULL) return open(name, O_RDONLY | O_CLOEXEC);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folders[i], name);
        if (access(path, X_OK) == 0) return open(path, O_RDONLY | O_CLOEXEC);
    }
    errno = ENOENT;
    return -1;
}

/* The program's libraries are those that the sandbox sees. */
static void link_libraries(int stage) {
    static const char *const names[] = {"usr", "lib", "lib32", "lib64", "libx32", "etc"};
    char target[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(target, sizeof target, "%s/%s", STAGED_VIEW + 1, names[i]);
        if (symlinkat(target, stage, names[i]) != 0) fail("cannot make the stage's /%s", names[i]);
    }
}

/* A copy that can be executed and not read: then nobody in the family can look into the process, trace it, or join it
 * before it is done. */
static void copy_program(int from, int stage) {
    struct stat found;
    int copy = openat(stage, STAGED_PROGRAM + 1, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0111);
    if (copy < 0 || fstat(from, &found) != 0) fail("cannot make a place for the program");
    for (off_t done = 0; done < found.st_size;)
        if (sendfile(copy, from, &done, (size_t)(found.st_size - done)) <= 0) fail("cannot copy the program");
    close(copy);
    close(from);
}

static void make_places(int stage) {
    static const char *const folders[] = {"view", "proc", "tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (mkdirat(stage, folders[i], 0755) != 0) fail("cannot make the stage's /%s", folders[i]);
    link_libraries(stage);
}

static void leave_host_network(pid_t family) {
    int found = (int)syscall(SYS_pidfd_open, family, 0);
    if (found < 0 || setns(found, CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_NEWPID) != 0)
        fail("cannot enter the family of %d", family);
    close(found);
}

/* Only whoever is born in the family can mount its /proc; the descriptor it makes is ours too. */
static int familys_proc(void) {
    int status;
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        int made = new_mount("proc", NULL, ORDINARY | MOUNT_ATTR_NOEXEC);
        _exit(made < 0 || made > 250 ? 255 : made);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 255)
        fail("cannot make /proc of a family");
    return WEXITSTATUS(status);
}

void stage(const char *program, pid_t family, long long identity) {
    view_take(identity);
    int bubblewrap = find_program(program);
    if (bubblewrap < 0) fail("cannot find %s", program);
    /* The system lets a /proc be mounted only where one is to be seen: until the family's is there, the host's. */
    int hosts_proc = clone_tree("/proc");
    attach(new_mount("tmpfs", (const char *const[]){"size", "4194304", "mode", "0755", NULL}, ORDINARY), STAGE);
    int root = open_place(STAGE);
    make_places(root);
    copy_program(bubblewrap, root);
    view_build(root);
    become_root(STAGE);
    close(root);
    attach(hosts_proc, "/proc");
    leave_host_network(family);
    int proc = familys_proc();
    if (umount2("/proc", MNT_DETACH) != 0) fail("cannot let go of the host's /proc");
    attach(proc, "/proc");
    int stage = open_place("/");
    if (!restrict_mount(stage, MOUNT_ATTR_RDONLY)) fail("cannot close the stage");
    close(stage);
}
