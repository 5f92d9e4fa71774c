/* The operation `write`: whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "frame.h"
#include "measure.h"
#include "problem.h"

struct writing {
    int client, file;
    char target[PATH_MAX];    /* with symbolic links followed, so that they stay */
    char temporary[PATH_MAX]; /* empty when appending */
    off_t before;             /* length of what is appended to */
    long long bytes;
};

static bool write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/* Where a name that may be a symbolic link leads, whether or not something is there. */
static bool resolve(const char *path, char target[PATH_MAX]) {
    char *real = realpath(path, NULL);
    if (real == NULL && errno != ENOENT) return false;
    int length = snprintf(target, PATH_MAX, "%s", real == NULL ? path : real);
    free(real);
    errno = ENAMETOOLONG;
    return length < PATH_MAX;
}

static bool open_temporary(struct writing *writing) {
    const char *name = strrchr(writing->target, '/') + 1;
    for (int attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(writing->temporary, PATH_MAX, "%.*s.husk-%d-%d.tmp", (int)(name - writing->target),
                              writing->target, getpid(), attempt);
        errno = ENAMETOOLONG;
        if (length >= PATH_MAX) break;
        writing->file = open(writing->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (writing->file >= 0 || errno != EEXIST) break;
    }
    if (writing->file < 0) writing->temporary[0] = '\0';
    return writing->file >= 0;
}

static bool open_for_append(struct writing *writing, mode_t mode) {
    writing->file = open(writing->target, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, mode);
    writing->before = writing->file < 0 ? 0 : lseek(writing->file, 0, SEEK_END);
    return writing->file >= 0;
}

static void undo(struct writing *writing) {
    int error = errno;
    if (writing->temporary[0] != '\0') unlink(writing->temporary);
    else if (writing->file >= 0 && ftruncate(writing->file, writing->before) != 0) error = errno;
    errno = error;
}

/* 1: all has come. 0: the client left or sent nonsense. -1: it cannot be written, see errno. */
static int receive(struct writing *writing) {
    struct inbox inbox = {0};
    struct frame frame;
    while (inbox_next(&inbox, writing->client, &frame)) {
        if (frame.kind == 'Z') return 1;
        if (frame.kind != 'D') return 0;
        if (!write_all(writing->file, frame.payload, frame.length)) return -1;
        writing->bytes += frame.length;
    }
    return 0;
}

static bool finish(struct writing *writing, mode_t mode) {
    if (writing->temporary[0] == '\0') return true;
    return fchmod(writing->file, mode) == 0 && rename(writing->temporary, writing->target) == 0;
}

static void carry_out(struct writing *writing, const char *path, bool append, mode_t mode) {
    bool opened = append ? open_for_append(writing, mode) : open_temporary(writing);
    int received = opened ? receive(writing) : -1;
    if (received > 0 && !finish(writing, mode)) received = -1;
    if (received <= 0) undo(writing);
    if (received < 0) send_file_problem(writing->client, errno, "write", path);
    if (received == 0) send_problem(writing->client, "protocol", 0, "D frames and Z are missing for %s", path);
    if (received <= 0) return;
    struct text text = {0};
    say(&text, "bytes", "%lld", writing->bytes);
    send_answer(writing->client, &text);
}

void do_write(int client, const struct fields *request) {
    static struct writing writing;
    const char *path = path_of(client, request, "path"), *given = fields_get(request, "mode");
    int append = fields_flag(request, "append", 0);
    long long mode = 0644;
    struct stat found;
    writing.client = client;
    writing.file = -1;
    if (path == NULL) return;
    if (append < 0 || (given != NULL && !parse_number(given, 8, 0, 07777, &mode))) {
        send_problem(client, "protocol", 0, "append is 0 or 1, mode is octal");
        return;
    }
    if (workspace_is_full() || !resolve(path, writing.target)) {
        send_file_problem(client, workspace_is_full() ? EDQUOT : errno, "write", path);
        return;
    }
    bool exists = stat(writing.target, &found) == 0;
    if (exists && given == NULL) mode = found.st_mode & 01777;
    if (exists && S_ISDIR(found.st_mode)) send_file_problem(client, EISDIR, "write", path);
    else if (exists && !S_ISREG(found.st_mode))
        send_problem(client, "io", 0, "cannot write %s: it is not a regular file", path);
    else carry_out(&writing, path, append == 1, (mode_t)mode);
}
