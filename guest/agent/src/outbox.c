#include "outbox.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "frame.h"

void outbox_bytes(struct outbox *outbox, const void *bytes, size_t length) {
    text_append(&outbox->text, bytes, length);
}

void outbox_frame(struct outbox *outbox, char kind, const void *payload, size_t length) {
    char header[FRAME_HEADER];
    frame_header(header, kind, (uint32_t)length);
    text_append(&outbox->text, header, FRAME_HEADER);
    text_append(&outbox->text, payload, length);
}

size_t outbox_waiting(const struct outbox *outbox) { return outbox->text.length - outbox->start; }

enum flush outbox_flush(struct outbox *outbox, int descriptor) {
    /* A frame that found no memory leaves a stream that cannot be understood: it ends here. */
    if (outbox->text.failed) return FLUSH_LOST;
    while (outbox_waiting(outbox) > 0) {
        ssize_t count = write(descriptor, outbox->text.bytes + outbox->start, outbox_waiting(outbox));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno == EAGAIN ? FLUSH_LATER : FLUSH_LOST;
        outbox->start += (size_t)count;
    }
    outbox->start = outbox->text.length = 0;
    /* A replayed log is large; what follows is not. */
    if (outbox->text.capacity > 4 * DATA_MAX) text_free(&outbox->text);
    return FLUSH_DONE;
}

void outbox_free(struct outbox *outbox) {
    text_free(&outbox->text);
    outbox->start = 0;
}
