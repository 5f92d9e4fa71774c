#include "problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frame.h"

const char *code_of(int error) {
    switch (error) {
        case ENOENT: return "not_found";
        case EEXIST: return "exists";
        case EACCES:
        case EPERM: return "denied";
        case ENOTDIR: return "not_directory";
        case EISDIR: return "is_directory";
        case ENOTEMPTY: return "not_empty";
        case ENOSPC:
        case EDQUOT: return "disk_full";
        case EFBIG: return "file_too_large";
        case EROFS: return "read_only";
        case ENAMETOOLONG: return "bad_path";
        case EAGAIN: return "process_limit";
        case ENOMEM: return "out_of_memory";
        default: return "io";
    }
}

static void describe(struct text *text, const char *code, int error, const char *format, va_list arguments) {
    char message[4096];
    vsnprintf(message, sizeof message, format, arguments);
    say(text, "code", "%s", code);
    if (error == 0) {
        say(text, "message", "%s", message);
        return;
    }
    say(text, "message", "%s: %s", message, strerror(error));
    say(text, "errno", "%d", error);
}

void describe_problem(struct text *text, const char *code, int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    describe(text, code, error, format, arguments);
    va_end(arguments);
}

bool send_frame(int descriptor, char kind, const void *payload, size_t length) {
    char header[FRAME_HEADER];
    frame_header(header, kind, (uint32_t)length);
    for (size_t sent = 0; sent < FRAME_HEADER + length;) {
        size_t left = sent < FRAME_HEADER ? FRAME_HEADER - sent : 0;
        size_t past = sent < FRAME_HEADER ? 0 : sent - FRAME_HEADER;
        struct iovec parts[2] = {{header + FRAME_HEADER - left, left},
                                 {(char *)(uintptr_t)payload + past, length - past}};
        ssize_t count = writev(descriptor, parts, 2);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        sent += (size_t)count;
    }
    return true;
}

bool send_answer(int descriptor, struct text *fields) {
    bool sent = !fields->failed && send_frame(descriptor, 'A', fields->bytes, fields->length);
    text_free(fields);
    return sent;
}

bool send_problem(int descriptor, const char *code, int error, const char *format, ...) {
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    describe(&text, code, error, format, arguments);
    va_end(arguments);
    if (!text.failed) send_frame(descriptor, 'P', text.bytes, text.length);
    text_free(&text);
    return false;
}

bool send_file_problem(int descriptor, int error, const char *doing, const char *path) {
    return send_problem(descriptor, code_of(error), error, "cannot %s %s", doing, path);
}
