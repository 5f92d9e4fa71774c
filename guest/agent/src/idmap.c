#include "idmap.h"

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

int clone_tree(const char *path) {
    return (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

bool idmap_tree(int tree, int user_namespace) {
    struct mount_attr mapped = {.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (unsigned)user_namespace};
    return syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &mapped, sizeof mapped) == 0;
}

bool attach_tree(int tree, const char *place) {
    return syscall(SYS_move_mount, tree, "", AT_FDCWD, place, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}
