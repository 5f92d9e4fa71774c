#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void frame_header(char header[FRAME_HEADER], char kind, uint32_t length) {
    header[0] = kind;
    for (int i = 0; i < 4; i++) header[1 + i] = (char)(length >> (24 - 8 * i));
}

uint32_t frame_length(const char header[FRAME_HEADER]) {
    uint32_t length = 0;
    for (int i = 1; i < FRAME_HEADER; i++) length = length << 8 | (unsigned char)header[i];
    return length;
}

uint32_t frame_limit(char kind) {
    switch (kind) {
        case 'Q': return FRAME_MAX;
        case 'I':
        case 'D': return DATA_MAX;
        case 'S':
        case 'W': return 256;
        case 'Z': return 1;
        default: return 0;
    }
}

/* Makes room for at least one more byte; what was taken is moved away first. */
static int make_room(struct inbox *inbox) {
    if (inbox->start == inbox->end) inbox->start = inbox->end = 0;
    if (inbox->end < inbox->capacity) return 1;
    if (inbox->start > 0) {
        memmove(inbox->bytes, inbox->bytes + inbox->start, inbox->end - inbox->start);
        inbox->end -= inbox->start;
        inbox->start = 0;
        return 1;
    }
    size_t wanted = inbox->capacity ? inbox->capacity * 2 : DATA_MAX + FRAME_HEADER;
    char *larger = wanted <= 2 * (FRAME_MAX + FRAME_HEADER) ? realloc(inbox->bytes, wanted) : NULL;
    if (larger == NULL) return 0;
    inbox->bytes = larger;
    inbox->capacity = wanted;
    return 1;
}

enum fill inbox_fill(struct inbox *inbox, int descriptor) {
    if (!make_room(inbox)) return FILL_OVER;
    ssize_t count;
    do {
        count = read(descriptor, inbox->bytes + inbox->end, inbox->capacity - inbox->end);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN) return FILL_NOTHING_YET;
    if (count <= 0) return FILL_OVER;
    inbox->end += (size_t)count;
    return FILL_SOME;
}

enum take inbox_take(struct inbox *inbox, struct frame *frame) {
    size_t have = inbox->end - inbox->start;
    const char *at = inbox->bytes + inbox->start;
    if (have >= 1 && frame_limit(at[0]) == 0) return TAKE_MALFORMED;
    if (have < FRAME_HEADER) return TAKE_MORE_NEEDED;
    uint32_t length = frame_length(at);
    if (length > frame_limit(at[0])) return TAKE_MALFORMED;
    if (have - FRAME_HEADER < length) return TAKE_MORE_NEEDED;
    *frame = (struct frame){at[0], length, at + FRAME_HEADER};
    inbox->start += FRAME_HEADER + length;
    return TAKE_FRAME;
}

int inbox_next(struct inbox *inbox, int descriptor, struct frame *frame) {
    for (;;) {
        enum take taken = inbox->bytes == NULL ? TAKE_MORE_NEEDED : inbox_take(inbox, frame);
        if (taken == TAKE_FRAME) return 1;
        if (taken == TAKE_MALFORMED || inbox_fill(inbox, descriptor) != FILL_SOME) return 0;
    }
}

void inbox_free(struct inbox *inbox) {
    free(inbox->bytes);
    *inbox = (struct inbox){0};
}
