/* The operations `pack` and `unpack`: the sandbox's own tar, with its stream on the connection. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "frame.h"
#include "measure.h"
#include "problem.h"
#include "spawn.h"

enum { LEFT_OUT_MAX = 64 };

struct tar {
    int client;
    const char *path;
    pid_t pid;
    int stream; /* its standard output or input */
    int errors; /* a pipe; only its first words are kept */
};

static void explain(int client, const char *path, struct spawn_failure failure) {
    const char *code = failure.stage == SPAWN_EXEC ? "not_found" : code_of(failure.error);
    send_problem(client, code, failure.error, "cannot start tar for %s", path);
}

/* Errors go to a file without a name: tar may complain at any length without waiting for a reader. */
static int complaints(void) {
    int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file >= 0 ? file : open("/dev/null", O_RDWR | O_CLOEXEC);
}

static bool start(struct tar *tar, char *const *arguments, bool packing) {
    struct spawn_failure failure = {SPAWN_FORK, 0};
    struct stat found;
    int pipe[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (stat(tar->path, &found) != 0) return send_file_problem(tar->client, errno, "open", tar->path);
    if (!S_ISDIR(found.st_mode)) return send_file_problem(tar->client, ENOTDIR, "open", tar->path);
    char **environment = environment_of(&(struct fields){"", 0});
    tar->errors = complaints();
    if (null < 0 || tar->errors < 0 || environment == NULL || pipe2(pipe, O_CLOEXEC) != 0)
        return send_file_problem(tar->client, errno, "prepare tar for", tar->path);
    struct spawn what = {arguments, environment, tar->path, packing ? null : pipe[0], packing ? pipe[1] : null,
                         tar->errors, false, NULL};
    tar->pid = spawn(&what, &failure);
    if (tar->pid < 0) explain(tar->client, tar->path, failure);
    close(packing ? pipe[1] : pipe[0]);
    tar->stream = packing ? pipe[0] : pipe[1];
    return tar->pid > 0;
}

static void give_up(struct tar *tar) {
    close(tar->stream);
    kill(tar->pid, SIGKILL);
    waitpid(tar->pid, NULL, 0);
}

/* True when tar is content; else the client is told what it complained about. */
static bool ended_well(struct tar *tar, int worst) {
    int status = 0;
    char words[1024];
    waitpid(tar->pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= worst) return true;
    ssize_t length = pread(tar->errors, words, sizeof words - 1, 0);
    words[length > 0 ? length : 0] = '\0';
    const char *code = strstr(words, strerror(ENOSPC)) != NULL || strstr(words, strerror(EDQUOT)) != NULL ? "disk_full"
                       : strstr(words, strerror(EFBIG)) != NULL                                        ? "file_too_large"
                                                                                                       : "io";
    return send_problem(tar->client, code, 0, "tar failed in %s: %s", tar->path, words);
}

/* A client that leaves without a word is noticed while tar is still looking for files. */
static bool client_is_there(const struct tar *tar) {
    struct pollfd watched[2] = {{tar->stream, POLLIN, 0}, {tar->client, 0, 0}};
    while (poll(watched, 2, -1) < 0 && errno == EINTR) continue;
    return (watched[1].revents & (POLLHUP | POLLERR)) == 0;
}

/* What is left out is named as it is, not as a pattern. */
static void packing(const struct fields *request, char **arguments, char (*names)[PATH_MAX + 16]) {
    int count = 0, left_out = 0;
    const char *name = NULL;
    arguments[count++] = "tar";
    arguments[count++] = "-cf";
    arguments[count++] = "-";
    while (left_out < LEFT_OUT_MAX && (name = fields_next(request, "without", name)) != NULL) {
        if (left_out == 0) {
            arguments[count++] = "--anchored";
            arguments[count++] = "--no-wildcards";
        }
        snprintf(names[left_out], sizeof names[left_out], "--exclude=./%s", name);
        arguments[count++] = names[left_out++];
    }
    arguments[count++] = ".";
    arguments[count] = NULL;
}

void do_pack(int client, const struct fields *request) {
    static char bytes[DATA_MAX], names[LEFT_OUT_MAX][PATH_MAX + 16];
    struct tar tar = {.client = client, .path = path_of(client, request, "path")};
    char *arguments[LEFT_OUT_MAX + 7];
    if (fields_count(request, "without") > LEFT_OUT_MAX) {
        send_problem(client, "protocol", 0, "too many names are to be left out");
        return;
    }
    packing(request, arguments, names);
    if (tar.path == NULL || !start(&tar, arguments, true)) return;
    for (;;) {
        ssize_t count = client_is_there(&tar) ? read(tar.stream, bytes, sizeof bytes) : -1;
        if (count == 0) break;
        if (count < 0 || !send_frame(client, 'D', bytes, (size_t)count)) {
            give_up(&tar);
            return;
        }
    }
    /* 1 says that a file changed while it was read, which is nobody's failure. */
    if (ended_well(&tar, 1)) send_frame(client, 'Z', NULL, 0);
}

static bool pass_on(int stream, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(stream, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

void do_unpack(int client, const struct fields *request) {
    struct tar tar = {.client = client, .path = path_of(client, request, "path")};
    char *arguments[] = {"tar", "-xf", "-", "--no-same-owner", NULL};
    struct inbox inbox = {0};
    struct frame frame = {0};
    if (tar.path == NULL) return;
    if (workspace_is_full()) {
        send_file_problem(client, EDQUOT, "unpack into", tar.path);
        return;
    }
    if (!start(&tar, arguments, false)) return;
    bool broken = false; /* tar stopped reading; what it said comes when the host has sent all */
    while (inbox_next(&inbox, client, &frame) && frame.kind == 'D')
        if (!broken && !pass_on(tar.stream, frame.payload, frame.length)) broken = true;
    if (frame.kind != 'Z') {
        give_up(&tar);
        send_problem(client, "protocol", 0, "D frames and Z are missing for %s", tar.path);
        return;
    }
    close(tar.stream);
    if (ended_well(&tar, 0)) send_frame(client, 'A', NULL, 0);
}
