/* Feeds random and half-sensible bytes to every parser, in one process, under the sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "asker.h"
#include "counters.h"
#include "fields.h"
#include "frame.h"
#include "outbox.h"
#include "proc.h"
#include "ring.h"

static unsigned long long seed = 88172645463325252ull;

static unsigned next(unsigned below) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 11) % below;
}

static size_t random_bytes(char *bytes, size_t most) {
    static const char *const seeds[] = {"op=run", "arg=x", "=", "signal=9", "\xff\xff", "rows=", "QIZSWD", "(a) b) S 1 "};
    size_t length = 0, wanted = next((unsigned)most);
    while (length < wanted) {
        const char *word = seeds[next(8)];
        size_t size = strlen(word);
        if (next(3) == 0 || length + size + 1 > wanted) bytes[length++] = (char)next(next(2) ? 256 : 4);
        else memcpy(bytes + length, word, size + 1), length += size + next(2);
    }
    return length;
}

/* A heap copy of exactly this size: reading one byte too far is seen. */
static char *exact(const char *bytes, size_t length) {
    char *copy = malloc(length + (length == 0));
    memcpy(copy, bytes, length);
    return copy;
}

static void try_fields(const char *bytes, size_t length) {
    char *copy = exact(bytes, length);
    long long value = 7;
    if (fields_valid(copy, length)) {
        struct fields fields = {copy, length};
        const char *keys[] = {"op", "arg", "signal", "rows", "zzz"};
        for (int i = 0; i < 5; i++) {
            size_t count = 0;
            for (const char *at = NULL; (at = fields_next(&fields, keys[i], at)) != NULL;) count += strlen(at) < length;
            if (count != fields_count(&fields, keys[i])) abort();
            fields_number(&fields, keys[i], -5, 100, &value);
            if (value < -5 || value > 100) abort();
            fields_flag(&fields, keys[i], 0);
        }
    }
    free(copy);
}

static void try_frames(const char *bytes, size_t length) {
    int ends[2];
    struct inbox inbox = {0};
    struct frame frame;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    if (write(ends[1], bytes, length) != (ssize_t)length) abort();
    close(ends[1]);
    size_t seen = 0;
    while (inbox_next(&inbox, ends[0], &frame)) {
        seen += FRAME_HEADER + frame.length;
        if (frame.length > frame_limit(frame.kind)) abort();
        try_fields(frame.payload, frame.length);
    }
    if (seen > length) abort();
    close(ends[0]);
    inbox_free(&inbox);
}

/* Sensible frames come out as they went in. */
static void try_round_trip(const char *bytes, size_t length) {
    struct outbox outbox = {0};
    struct inbox inbox = {0};
    struct frame frame;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    outbox_frame(&outbox, 'D', bytes, length);
    if (outbox_flush(&outbox, ends[1]) != FLUSH_DONE) abort();
    if (!inbox_next(&inbox, ends[0], &frame) || frame.length != length || memcmp(frame.payload, bytes, length)) abort();
    close(ends[0]);
    close(ends[1]);
    inbox_free(&inbox);
    outbox_free(&outbox);
}

static void try_lines(const char *bytes, size_t length) {
    char *line = malloc(length + 1), encoded[64];
    struct process process;
    unsigned local, remote;
    unsigned long inode;
    memcpy(line, bytes, length);
    line[length] = '\0';
    parse_stat(line, &process);
    counter_in(line, "oom_kill");
    parse_tcp_line(line, &local, &remote, &inode);
    for (size_t capacity = 1; capacity <= sizeof encoded; capacity += 7) percent_encode(encoded, capacity, line);
    if (strlen(encoded) >= sizeof encoded || strpbrk(encoded, " \n=") != NULL) abort();
    free(line);
}

static void try_ring(const char *bytes, size_t length) {
    char *kept = malloc(37), wanted[37];
    struct ring ring = {0, 1 + next(37), kept};
    size_t at = 0;
    while (at < length) {
        size_t part = 1 + next((unsigned)(length - at));
        ring_write(&ring, bytes + at, part);
        at += part;
    }
    size_t total = 0;
    for (int run = 0; run < 2; run++) {
        const char *from;
        size_t size = ring_run(&ring, run, &from);
        if (size > 0) memcpy(wanted + total, from, size);
        total += size;
    }
    if (total != ring_kept(&ring) || memcmp(wanted, bytes + length - total, total) != 0) abort();
    if (ring_dropped(&ring) + total != length) abort();
    free(kept);
}

int main(int count, char **arguments) {
    static char bytes[512];
    long rounds = count > 1 ? atol(arguments[1]) : 1000;
    for (long i = 0; i < rounds; i++) {
        size_t length = random_bytes(bytes, sizeof bytes - 16);
        try_fields(bytes, length);
        try_lines(bytes, length);
        try_ring(bytes, length);
        if (i % 8 == 0) try_frames(bytes, length);
        if (i % 8 == 1) try_round_trip(bytes, length);
    }
    printf("%ld rounds, nothing found\n", rounds);
    return 0;
}
