/* Between the first process and the handler of a command: small messages with descriptors. */
#ifndef HUSK_CONTROL_H
#define HUSK_CONTROL_H

#include <stdbool.h>

enum control_kind {
    CONTROL_ATTACH = 'A', /* to the handler: here is another client */
    CONTROL_KILL = 'K',   /* to the handler: `doom` says why the tree must die */
    CONTROL_SINK = 'S'    /* from the handler: a stream that leftovers of the command may still write to */
};

struct control {
    char kind;
    bool logs_only;
    unsigned char streams; /* bit 0 stdout, bit 1 stderr */
};

/* Never blocks. A descriptor of -1 is none. */
bool control_send(int channel, const struct control *message, int descriptor);
bool control_receive(int channel, struct control *message, int *descriptor);

#endif
