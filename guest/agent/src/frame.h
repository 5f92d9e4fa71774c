/* Frames: `u8 kind, u32 big-endian length, payload`. The only thing that travels on a connection. */
#ifndef HUSK_FRAME_H
#define HUSK_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_HEADER = 5,
    FRAME_MAX = 1048576, /* of any payload */
    DATA_MAX = 65536     /* of a payload of bytes: I, O, E, D */
};

struct frame {
    char kind;
    uint32_t length;
    const char *payload;
};

/* Bytes that came in, from which whole frames are taken. */
struct inbox {
    char *bytes;
    size_t start, end, capacity;
};

enum fill { FILL_SOME, FILL_NOTHING_YET, FILL_OVER };
enum take { TAKE_FRAME, TAKE_MORE_NEEDED, TAKE_MALFORMED };

void frame_header(char header[FRAME_HEADER], char kind, uint32_t length);
uint32_t frame_length(const char header[FRAME_HEADER]);

/* The largest payload that a frame of this kind may have; 0 if the host never sends such a frame. */
uint32_t frame_limit(char kind);

/* Reads once. Blocks only if the descriptor does. */
enum fill inbox_fill(struct inbox *inbox, int descriptor);

/* The payload stays valid until the next fill. */
enum take inbox_take(struct inbox *inbox, struct frame *frame);

/* For plain blocking code: the next frame, or 0 when the peer left or sent nonsense. */
int inbox_next(struct inbox *inbox, int descriptor, struct frame *frame);
void inbox_free(struct inbox *inbox);

#endif
