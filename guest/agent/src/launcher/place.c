#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fail.h"

enum { LENGTH = 4096 };

static struct {
    int folder;
    const char *name;
    int root; /* as it is now: something may have been mounted over it */
    long long owner;
} view;

static int open_root(void) {
    int root = openat(view.folder, view.name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (root < 0) fail("cannot open the view");
    return root;
}

void place_below(int folder, const char *name, long long owner) {
    view.folder = folder;
    view.name = name;
    view.owner = owner;
    view.root = open_root();
}

void place_done(void) { close(view.root); }

/* As if the view were the root already: links lead nowhere else, and no link of /proc is followed. */
static int open_within(const char *path) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, view.root, path, &how, sizeof how);
}

static void give_to_owner(int folder, const char *name) {
    uid_t owner = (uid_t)view.owner;
    if (view.owner >= 0 && fchownat(folder, name, owner, owner, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0)
        fail("cannot give %s to the sandbox", name);
}

/* The folder that a path lies in, made if it is not there; `name` is what is left. */
static int parent_of(const char *path, const char **name) {
    char above[LENGTH];
    const char *slash = strrchr(path, '/');
    errno = ENAMETOOLONG;
    if (slash == NULL || slash[1] == '\0' || strlen(path) >= sizeof above) fail("not a place: %s", path);
    snprintf(above, sizeof above, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    *name = slash + 1;
    return place_for(above, true);
}

static void make(const char *path, bool directory) {
    const char *name;
    int parent = parent_of(path, &name);
    int made = directory ? mkdirat(parent, name, 0755) : openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (made < 0) fail("cannot make %s", path);
    give_to_owner(parent, name);
    if (!directory) close(made);
    close(parent);
}

int place_for(const char *path, bool directory) {
    int found = open_within(path);
    if (found < 0 && errno == ENOENT) {
        make(path, directory);
        found = open_within(path);
    }
    if (found < 0) fail("cannot find the place %s", path);
    return found;
}

void place_link(const char *path, const char *target) {
    const char *name;
    int parent = parent_of(path, &name);
    if (symlinkat(target, parent, name) != 0) fail("cannot make the link %s", path);
    close(parent);
}

void place_given(const char *path) {
    if (strcmp(path, "/") == 0) {
        close(view.root);
        view.root = open_root();
    }
    int place = place_for(path, true);
    give_to_owner(place, "");
    close(place);
}
