/* The operations `remove`, `empty` and `move`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "problem.h"
#include "spawn.h"

/* Below this, directories are moved up to the top before they are emptied: no depth is too deep. */
enum { DEEPEST = 64 };

static bool empty(int top, int directory, int depth, const struct fields *spared);

static int open_directory(int parent, const char *name) {
    int opened = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened >= 0 || errno != EACCES || fchmodat(parent, name, 0700, 0) != 0) return opened;
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool remove_directory(int top, int parent, const char *name, int depth) {
    static unsigned moved;
    char aside[64];
    if (depth >= DEEPEST) {
        snprintf(aside, sizeof aside, ".husk-removed-%d-%u", getpid(), ++moved);
        return renameat(parent, name, top, aside) == 0;
    }
    int directory = open_directory(parent, name);
    if (directory < 0) return false;
    bool emptied = empty(top < 0 ? directory : top, directory, depth + 1, NULL);
    return emptied && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* A directory that may be read only keeps its entries; its owner may change that. */
static bool unlink_entry(int directory, const char *name) {
    if (unlinkat(directory, name, 0) == 0 || errno == ENOENT) return true;
    return errno == EACCES && fchmod(directory, 0700) == 0 && unlinkat(directory, name, 0) == 0;
}

static bool remove_entry(int top, int directory, const char *name, int depth) {
    struct stat found;
    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) return true;
        if (errno != EACCES || fchmod(directory, 0700) != 0) return false;
        if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return false;
    }
    if (!S_ISDIR(found.st_mode)) return unlink_entry(directory, name);
    if (remove_directory(top, directory, name, depth)) return true;
    return errno == EACCES && fchmod(directory, 0700) == 0 && remove_directory(top, directory, name, depth);
}

static bool is_spared(const struct fields *spared, const char *name) {
    for (const char *one = NULL; spared != NULL && (one = fields_next(spared, "without", one)) != NULL;)
        if (strcmp(one, name) == 0) return true;
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Takes ownership of the descriptor. Looks again until nothing is left, since entries may have been moved here. */
static bool empty(int top, int directory, int depth, const struct fields *spared) {
    DIR *entries = fdopendir(directory);
    if (entries == NULL) return false;
    bool good = true, found = true;
    while (good && found) {
        found = false;
        rewinddir(entries);
        for (struct dirent *entry; good && (entry = readdir(entries)) != NULL;) {
            if (is_spared(spared, entry->d_name)) continue;
            found = true;
            good = remove_entry(top, directory, entry->d_name, depth);
        }
    }
    int error = errno;
    closedir(entries);
    errno = error;
    return good;
}

static bool remove_path(const char *path, bool recursive) {
    struct stat found;
    if (lstat(path, &found) != 0) return false;
    if (!S_ISDIR(found.st_mode)) return unlink(path) == 0;
    return recursive ? remove_directory(-1, AT_FDCWD, path, 0) : rmdir(path) == 0;
}

void do_remove(int client, const struct fields *request) {
    const char *path = path_of(client, request, "path");
    int recursive = fields_flag(request, "recursive", 0);
    if (path == NULL) return;
    if (recursive < 0) send_problem(client, "protocol", 0, "recursive is 0 or 1");
    else if (!remove_path(path, recursive == 1)) send_file_problem(client, errno, "remove", path);
    else send_frame(client, 'A', NULL, 0);
}

void do_empty(int client, const struct fields *request) {
    const char *path = path_of(client, request, "path");
    if (path == NULL) return;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0 || !empty(directory, directory, 1, request)) send_file_problem(client, errno, "empty", path);
    else send_frame(client, 'A', NULL, 0);
}

/* Between file systems a move is a copy, which the sandbox's own `mv` does best. */
static bool move_by_copy(const char *from, const char *to) {
    char *arguments[] = {"mv", "-f", "-T", "--", (char *)from, (char *)to, NULL};
    struct spawn_failure failure;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status = 0;
    char **environment = environment_of(&(struct fields){"", 0});
    if (null < 0 || environment == NULL) return false;
    struct spawn what = {arguments, environment, "/", null, null, null, false, NULL};
    pid_t pid = spawn(&what, &failure);
    close(null);
    errno = pid < 0 ? failure.error : EIO;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void do_move(int client, const struct fields *request) {
    const char *from = path_of(client, request, "from");
    const char *to = from == NULL ? NULL : path_of(client, request, "to");
    if (to == NULL) return;
    if (rename(from, to) == 0 || (errno == EXDEV && move_by_copy(from, to))) send_frame(client, 'A', NULL, 0);
    else send_problem(client, code_of(errno), errno, "cannot move %s to %s", from, to);
}
