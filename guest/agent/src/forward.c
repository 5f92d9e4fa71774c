/* The operation `forward`: a connection to a port inside, as frames. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "files.h"
#include "frame.h"
#include "outbox.h"
#include "problem.h"

struct forward {
    int client, inner;
    struct inbox in;
    struct outbox to_client, to_inner;
    bool client_ended, inner_ended; /* nothing more comes from there */
    bool inner_told;
};

static int connect_to(int family, unsigned short port) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -1;
    int failed = family == AF_INET ? connect(made, (struct sockaddr *)&four, sizeof four)
                                   : connect(made, (struct sockaddr *)&six, sizeof six);
    if (failed == 0) return made;
    int error = errno;
    close(made);
    errno = error;
    return -1;
}

static bool take_frames(struct forward *forward) {
    while (outbox_waiting(&forward->to_inner) < DATA_MAX && !forward->client_ended) {
        struct frame frame;
        enum take taken = forward->in.bytes == NULL ? TAKE_MORE_NEEDED : inbox_take(&forward->in, &frame);
        if (taken == TAKE_MALFORMED) return false;
        if (taken == TAKE_FRAME && frame.kind == 'D')
            outbox_bytes(&forward->to_inner, frame.payload, frame.length);
        else if (taken == TAKE_FRAME && frame.kind == 'Z') forward->client_ended = true;
        else if (taken == TAKE_FRAME) return false;
        else {
            enum fill filled = inbox_fill(&forward->in, forward->client);
            if (filled == FILL_NOTHING_YET) return true;
            if (filled == FILL_OVER) forward->client_ended = true;
        }
    }
    return true;
}

static bool take_bytes(struct forward *forward) {
    static char bytes[DATA_MAX];
    if (forward->inner_ended || outbox_waiting(&forward->to_client) >= DATA_MAX) return true;
    ssize_t count = read(forward->inner, bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (count > 0) outbox_frame(&forward->to_client, 'D', bytes, (size_t)count);
    else {
        outbox_frame(&forward->to_client, 'Z', NULL, 0);
        forward->inner_ended = true;
    }
    return true;
}

static bool flush_both(struct forward *forward) {
    enum flush inner = outbox_flush(&forward->to_inner, forward->inner);
    enum flush client = outbox_flush(&forward->to_client, forward->client);
    if (client == FLUSH_LOST || inner == FLUSH_LOST) return false;
    if (inner == FLUSH_DONE && forward->client_ended && !forward->inner_told) {
        shutdown(forward->inner, SHUT_WR);
        forward->inner_told = true;
    }
    return !(forward->inner_ended && forward->inner_told && client == FLUSH_DONE);
}

static bool step(struct forward *forward) {
    struct pollfd watched[2] = {{forward->client, 0, 0}, {forward->inner, 0, 0}};
    if (!forward->client_ended && outbox_waiting(&forward->to_inner) < DATA_MAX) watched[0].events |= POLLIN;
    if (outbox_waiting(&forward->to_client) > 0) watched[0].events |= POLLOUT;
    if (!forward->inner_ended && outbox_waiting(&forward->to_client) < DATA_MAX) watched[1].events |= POLLIN;
    if (outbox_waiting(&forward->to_inner) > 0) watched[1].events |= POLLOUT;
    /* A socket that is closed on both sides reports so for ever, whether or not it is asked. */
    if (watched[1].events == 0) watched[1].fd = -1;
    if (poll(watched, 2, -1) < 0) return errno == EINTR;
    if ((watched[0].revents & (POLLHUP | POLLERR)) != 0) return false;
    bool full;
    do {
        if (!take_frames(forward) || !take_bytes(forward)) return false;
        full = outbox_waiting(&forward->to_inner) >= DATA_MAX;
        if (!flush_both(forward)) return false;
        /* Frames that were left for want of room are here already: nobody would wake us for them. */
    } while (full && outbox_waiting(&forward->to_inner) < DATA_MAX);
    return true;
}

void do_forward(int client, const struct fields *request) {
    static struct forward forward;
    long long port;
    if (fields_number(request, "port", 1, 65535, &port) != NUMBER_GOOD) {
        send_problem(client, "protocol", 0, "port is a number from 1 to 65535");
        return;
    }
    forward.client = client;
    forward.inner = connect_to(AF_INET, (unsigned short)port);
    if (forward.inner < 0) forward.inner = connect_to(AF_INET6, (unsigned short)port);
    if (forward.inner < 0) {
        send_problem(client, "refused", errno, "nobody listens on port %lld", port);
        return;
    }
    int yes = 1;
    setsockopt(forward.inner, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(client, F_SETFL, O_NONBLOCK);
    fcntl(forward.inner, F_SETFL, O_NONBLOCK);
    outbox_frame(&forward.to_client, 'A', NULL, 0);
    if (flush_both(&forward))
        while (step(&forward)) continue;
}
