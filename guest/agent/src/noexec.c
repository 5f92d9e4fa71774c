#include "noexec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"
#include "fields.h"

/* Bubblewrap has no option for it, and inside nobody has the right. Whoever made the sandbox owns the user namespace
   that owns its mounts, and so may change them from outside. */
static void enter(long long pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%lld/ns/mnt", pid);
    int mounts = open(path, O_RDONLY | O_CLOEXEC);
    if (mounts < 0) fail("noexec: cannot open %s", path);
    int owner = ioctl(mounts, NS_GET_USERNS);
    if (owner < 0) fail("noexec: cannot find who owns the mounts of %lld", pid);
    if (geteuid() != 0 && setns(owner, CLONE_NEWUSER) != 0) fail("noexec: cannot join the owner of the mounts");
    if (setns(mounts, CLONE_NEWNS) != 0) fail("noexec: cannot join the mounts of %lld", pid);
    close(owner);
    close(mounts);
}

/* With everything mounted below: a folder in a folder may be a mount of its own. */
static void forbid(const char *folder) {
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOEXEC};
    if (syscall(SYS_mount_setattr, AT_FDCWD, folder, AT_RECURSIVE | AT_SYMLINK_NOFOLLOW, &attributes, sizeof attributes) != 0)
        fail("noexec: cannot change the mount %s", folder);
}

_Noreturn void noexec(char **arguments) {
    long long pid;
    errno = 0;
    if (arguments[0] == NULL || !parse_number(arguments[0], 10, 1, 4194304, &pid)) fail("noexec: whose folders?");
    enter(pid);
    for (char **folder = arguments + 1; *folder != NULL; folder++) forbid(*folder);
    _exit(0);
}
