/* Bytes on their way out on a descriptor that must not block. */
#ifndef HUSK_OUTBOX_H
#define HUSK_OUTBOX_H

#include <stddef.h>
#include <sys/types.h>

#include "text.h"

struct outbox {
    struct text text;
    size_t start;
};

enum flush { FLUSH_DONE, FLUSH_LATER, FLUSH_LOST };

void outbox_bytes(struct outbox *outbox, const void *bytes, size_t length);
void outbox_frame(struct outbox *outbox, char kind, const void *payload, size_t length);
size_t outbox_waiting(const struct outbox *outbox);
enum flush outbox_flush(struct outbox *outbox, int descriptor);
void outbox_free(struct outbox *outbox);

#endif
