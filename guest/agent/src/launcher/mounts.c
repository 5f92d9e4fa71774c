#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fail.h"

int clone_tree(const char *path) {
    return (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

int new_mount(const char *kind, const char *const *options, uint64_t attributes) {
    int context = (int)syscall(SYS_fsopen, kind, FSOPEN_CLOEXEC);
    if (context < 0) return -1;
    bool good = true;
    for (; good && options != NULL && options[0] != NULL; options += 2)
        good = syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, options[0], options[1], 0) == 0;
    good = good && syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0;
    int made = good ? (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes) : -1;
    int error = errno;
    close(context);
    errno = error;
    return made;
}

static bool set(int tree, int flags, struct mount_attr attributes) {
    return syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | flags, &attributes, sizeof attributes) == 0;
}

bool restrict_tree(int tree, uint64_t attributes) {
    return set(tree, AT_RECURSIVE, (struct mount_attr){.attr_set = attributes});
}

bool restrict_mount(int tree, uint64_t attributes) { return set(tree, 0, (struct mount_attr){.attr_set = attributes}); }

bool idmap_tree(int tree, int user_namespace) {
    return set(tree, AT_RECURSIVE, (struct mount_attr){.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (unsigned)user_namespace});
}

bool attach_tree(int tree, int place) {
    return syscall(SYS_move_mount, tree, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
}

void become_root(const char *folder) {
    if (chdir(folder) != 0 || syscall(SYS_pivot_root, ".", ".") != 0) fail("cannot make %s the root", folder);
    if (umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) fail("cannot let go of the former root");
}

static bool write_map(pid_t pid, const char *name, uid_t identity) {
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int length = snprintf(line, sizeof line, "0 %u 1\n", identity);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool written = file >= 0 && write(file, line, (size_t)length) == length;
    int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return written;
}

int idmap_namespace(uid_t identity) {
    /* The child only holds the namespace until there is a descriptor of it. */
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child < 0) return -1;
    if (child == 0)
        for (;;) pause();
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", child);
    int found = -1;
    if (write_map(child, "uid_map", identity) && write_map(child, "gid_map", identity))
        found = open(path, O_RDONLY | O_CLOEXEC);
    int error = errno;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    errno = error;
    return found;
}
