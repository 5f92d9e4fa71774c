#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame.h"
#include "problem.h"

const char *path_of(int client, const struct fields *request, const char *key) {
    const char *path = fields_get(request, key);
    if (path != NULL && path[0] == '/') return path;
    if (path == NULL) send_problem(client, "protocol", 0, "the field %s is missing", key);
    else send_problem(client, "bad_path", 0, "%s is not an absolute path", path);
    return NULL;
}

static const char *type_of(mode_t mode) {
    if (S_ISREG(mode)) return "file";
    if (S_ISDIR(mode)) return "directory";
    return S_ISLNK(mode) ? "symlink" : "other";
}

static void say_stat(struct text *text, const struct stat *found) {
    say(text, "type", "%s", type_of(found->st_mode));
    say(text, "size", "%lld", (long long)found->st_size);
    say(text, "mode", "%o", found->st_mode & 07777);
    say(text, "mtime_ms", "%lld", (long long)found->st_mtim.tv_sec * 1000 + found->st_mtim.tv_nsec / 1000000);
    say(text, "uid", "%u", found->st_uid);
    say(text, "gid", "%u", found->st_gid);
}

static void say_target(struct text *text, int directory, const char *name, const struct stat *found) {
    char target[PATH_MAX];
    ssize_t length = S_ISLNK(found->st_mode) ? readlinkat(directory, name, target, sizeof target) : -1;
    if (length >= 0) say(text, "target", "%.*s", (int)length, target);
}

static void send_contents(int client, int file, long long limit) {
    static char bytes[DATA_MAX];
    while (limit != 0) {
        ssize_t count = read(file, bytes, limit > 0 && limit < DATA_MAX ? (size_t)limit : sizeof bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            send_problem(client, code_of(errno), errno, "cannot read on");
            return;
        }
        if (count == 0) break;
        if (!send_frame(client, 'D', bytes, (size_t)count)) return;
        if (limit > 0) limit -= count;
    }
    send_frame(client, 'Z', NULL, 0);
}

void do_read(int client, const struct fields *request) {
    long long offset = 0, limit = -1;
    const char *path = path_of(client, request, "path");
    if (path == NULL) return;
    if (fields_number(request, "offset", 0, INT64_MAX, &offset) == NUMBER_BAD ||
        fields_number(request, "limit", 0, INT64_MAX, &limit) == NUMBER_BAD) {
        send_problem(client, "protocol", 0, "offset and limit are numbers");
        return;
    }
    /* A pipe without a writer must not keep anybody waiting. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat found;
    if (file < 0 || fstat(file, &found) != 0) send_file_problem(client, errno, "read", path);
    else if (S_ISDIR(found.st_mode)) send_file_problem(client, EISDIR, "read", path);
    else if (!S_ISREG(found.st_mode)) send_problem(client, "io", 0, "cannot read %s: it is not a regular file", path);
    else if (offset > 0 && lseek(file, offset, SEEK_SET) < 0) send_file_problem(client, errno, "read", path);
    else {
        struct text text = {0};
        say(&text, "size", "%lld", (long long)found.st_size);
        say(&text, "mode", "%o", found.st_mode & 07777);
        if (send_answer(client, &text)) send_contents(client, file, limit);
    }
}

void do_stat(int client, const struct fields *request) {
    const char *path = path_of(client, request, "path");
    int follow = fields_flag(request, "follow", 0);
    struct stat found;
    struct text text = {0};
    if (path == NULL) return;
    if (follow < 0) send_problem(client, "protocol", 0, "follow is 0 or 1");
    else if ((follow ? stat(path, &found) : lstat(path, &found)) != 0) send_file_problem(client, errno, "look at", path);
    else {
        say_stat(&text, &found);
        say_target(&text, AT_FDCWD, path, &found);
        send_answer(client, &text);
    }
}

static bool send_entry(int client, int directory, const char *name) {
    struct stat found;
    struct text text = {0};
    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return true; /* gone meanwhile */
    say(&text, "name", "%s", name);
    say_stat(&text, &found);
    say_target(&text, directory, name, &found);
    return send_answer(client, &text);
}

void do_list(int client, const struct fields *request) {
    const char *path = path_of(client, request, "path");
    if (path == NULL) return;
    DIR *directory = opendir(path);
    if (directory == NULL) {
        send_file_problem(client, errno, "list", path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (!send_entry(client, dirfd(directory), entry->d_name)) return;
    }
    send_frame(client, 'Z', NULL, 0);
}

/* Makes every directory on the way; one that is there already is as good as a new one. */
static int make_parents(const char *path) {
    char *copy = strdup(path);
    int failed = copy == NULL ? ENOMEM : 0;
    for (char *at = copy; failed == 0 && (at = strchr(at + 1, '/')) != NULL;) {
        *at = '\0';
        if (mkdir(copy, 0755) != 0 && errno != EEXIST) failed = errno;
        *at = '/';
    }
    free(copy);
    return failed;
}

void do_mkdir(int client, const struct fields *request) {
    const char *path = path_of(client, request, "path");
    const char *given = fields_get(request, "mode");
    int parents = fields_flag(request, "parents", 0);
    long long mode = 0755;
    struct stat found;
    if (path == NULL) return;
    if (parents < 0 || (given != NULL && !parse_number(given, 8, 0, 07777, &mode))) {
        send_problem(client, "protocol", 0, "parents is 0 or 1, mode is octal");
        return;
    }
    int failed = parents ? make_parents(path) : 0;
    if (failed == 0 && mkdir(path, (mode_t)mode) != 0) failed = errno;
    if (failed == EEXIST && parents && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) failed = -1;
    if (failed == 0) chmod(path, (mode_t)mode); /* whatever the umask says */
    if (failed > 0) send_file_problem(client, failed, "make the directory", path);
    else send_frame(client, 'A', NULL, 0);
}
