/* Connections to the first process, until their request is whole or their answer is gone. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent.h"
#include "frame.h"

void connection_close(struct connection *connection) {
    if (connection->descriptor >= 0) close(connection->descriptor);
    if (connection->final) agent.leaving = true;
    free(connection->payload);
    outbox_free(&connection->out);
    *connection = (struct connection){.descriptor = -1};
}

static void refuse(struct connection *connection, const char *message) {
    answer_problem(&connection->out, "protocol", 0, "%s", message);
    connection->answered = true;
}

/* Exactly this request is read and nothing after it: the rest belongs to whoever carries it out. */
static ssize_t read_some(struct connection *connection, size_t whole) {
    size_t have = connection->have;
    return have < FRAME_HEADER
               ? recv(connection->descriptor, connection->header + have, FRAME_HEADER - have, 0)
               : recv(connection->descriptor, connection->payload + have - FRAME_HEADER, whole - have, 0);
}

/* The size of the whole frame as far as it is known; 0 when it is refused. */
static size_t whole_size(struct connection *connection) {
    if (connection->have < FRAME_HEADER) return FRAME_HEADER;
    uint32_t length = frame_length(connection->header);
    if (connection->header[0] != 'Q') refuse(connection, "the first frame is Q");
    else if (length > FRAME_MAX) connection_close(connection);
    else if (connection->payload == NULL && (connection->payload = malloc(length + 1)) == NULL)
        answer_problem(&connection->out, "out_of_memory", 0, "no memory for the request"), connection->answered = true;
    else return FRAME_HEADER + (size_t)length;
    return 0;
}

static void hand_over(struct connection *connection) {
    struct fields request = {connection->payload, connection->have - FRAME_HEADER};
    if (!fields_valid(request.bytes, request.length)) {
        refuse(connection, "malformed fields");
        return;
    }
    dispatch(connection, &request);
}

void connection_listen(struct connection *connection) {
    while (connection->descriptor >= 0 && !connection->answered) {
        size_t whole = whole_size(connection);
        if (whole == 0) return;
        if (connection->have >= FRAME_HEADER && connection->have == whole) {
            hand_over(connection);
            return;
        }
        ssize_t count = read_some(connection, whole);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            connection_close(connection);
            return;
        }
        connection->have += (size_t)count;
    }
}
