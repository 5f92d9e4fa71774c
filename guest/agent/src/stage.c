#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bwrap_options.h"
#include "fail.h"
#include "give.h"
#include "idmap.h"

/* Where the clones are attached. Nobody needs the real one before bubblewrap makes its own root. */
#define STAGE "/sys"

enum { STAGED_MAX = 4096 };

static struct staged {
    int tree;
    bool directory;
    char **source;
} staged[STAGED_MAX];
static int count;

/* What everybody may read anyway stays where it is. */
static bool is_public(const char *path) {
    static const char *const roots[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", NULL};
    for (const char *const *root = roots; *root != NULL; root++) {
        size_t length = strlen(*root);
        if (strncmp(path, *root, length) == 0 && (path[length] == '/' || path[length] == '\0'))
            return strstr(path, "/..") == NULL;
    }
    return false;
}

static void take(char **source, enum bind kind, int user_namespace, uid_t identity) {
    if (kind == BIND_READ_ONLY && is_public(*source)) return;
    struct stat found;
    int tree = stat(*source, &found) == 0 ? clone_tree(*source) : -1;
    if (tree < 0) fail("cannot take %s into the sandbox", *source);
    if (!idmap_tree(tree, user_namespace) && kind == BIND_WRITABLE &&
        !(give_may(*source) && give(*source, identity)))
        fail("cannot give %s to the sandbox: its file system does not take mapped owners", *source);
    if (count == STAGED_MAX) errno = 0, fail("more than %d files and folders for one sandbox", STAGED_MAX);
    staged[count++] = (struct staged){tree, S_ISDIR(found.st_mode), source};
}

static void drop(char **at, int words) {
    do at[0] = at[words];
    while (*at++ != NULL);
}

/* Walks bubblewrap's options up to its `--`. */
static void take_all(char **argument, int user_namespace, uid_t identity) {
    while (*argument != NULL && strcmp(*argument, "--") != 0) {
        int values = bwrap_values(*argument), optional;
        errno = 0;
        if (values < 0) fail("bubblewrap's option %s is not known here", *argument);
        for (int i = 1; i <= values; i++)
            if (argument[i] == NULL) fail("bubblewrap's option %s lacks a value", *argument);
        enum bind kind = bwrap_bind(*argument, &optional);
        if (kind != BIND_NOT && optional && access(argument[1], F_OK) != 0) {
            drop(argument, 3);
            continue;
        }
        if (kind != BIND_NOT) take(&argument[1], kind, user_namespace, identity);
        argument += 1 + values;
    }
}

static void make_place(const char *place, bool directory) {
    int made = directory ? mkdir(place, 0755) : open(place, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (made < 0) fail("cannot make %s", place);
    if (!directory) close(made);
}

static void attach_all(void) {
    for (int i = 0; i < count; i++) {
        char place[64];
        snprintf(place, sizeof place, STAGE "/%d", i);
        make_place(place, staged[i].directory);
        if (!attach_tree(staged[i].tree, place)) fail("cannot attach %s", *staged[i].source);
        close(staged[i].tree);
        if ((*staged[i].source = strdup(place)) == NULL) fail("cannot remember %s", place);
    }
}

void stage(char **arguments, uid_t identity) {
    if (unshare(CLONE_NEWNS) != 0) fail("cannot make a mount namespace");
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) fail("cannot make the mounts private");
    int user_namespace = idmap_namespace(identity);
    if (user_namespace < 0) fail("cannot make a user namespace for the owner %u", identity);
    take_all(arguments, user_namespace, identity);
    close(user_namespace);
    if (mount("husk", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0)
        fail("cannot mount a tmpfs on " STAGE);
    attach_all();
}

int stage_directory(const char *path, uid_t identity) {
    int user_namespace = idmap_namespace(identity);
    if (user_namespace < 0) fail("cannot make a user namespace for the owner %u", identity);
    int tree = clone_tree(path);
    if (tree < 0 || (!idmap_tree(tree, user_namespace) && !give(path, identity)))
        fail("cannot give %s to the sandbox", path);
    close(user_namespace);
    return tree;
}

void leave_groups(void) {
    if (setgroups(0, NULL) != 0) fail("cannot leave the groups of root");
}

void become(uid_t identity) {
    if (setresgid(identity, identity, identity) != 0) fail("cannot take the group %u", identity);
    if (setresuid(identity, identity, identity) != 0) fail("cannot become the user %u", identity);
}
