#include "bridge.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "asker.h"
#include "fail.h"
#include "settings.h"
#include "watch.h"

enum { BUFFER = 32768, PAIRS_MAX = 4096 };

/* One direction of a connection. */
struct flow {
    char *bytes;
    size_t start, end;
    bool ended, passed_on; /* the source has nothing more; the target knows */
};

struct pair {
    int sides[2];         /* the client, the proxy */
    struct flow flows[2]; /* flows[i] comes from sides[i] */
};

static struct pair *pairs[PAIRS_MAX];
static size_t count;

static int listen_on(long long port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int yes = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (made < 0) fail("cannot make the bridge's socket");
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(made, (struct sockaddr *)&address, sizeof address) != 0 || listen(made, 512) != 0)
        fail("cannot listen on port %lld for the bridge", port);
    return made;
}

struct bridge_ports bridge_listen(void) {
    return (struct bridge_ports){settings.http_port ? listen_on(settings.http_port) : -1,
                                 settings.socks_port ? listen_on(settings.socks_port) : -1};
}

static int connect_to_proxy(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/proxy.sock", PROXY_DIRECTORY);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made >= 0 && connect(made, (struct sockaddr *)&address, sizeof address) == 0) return made;
    if (made >= 0) close(made);
    return -1;
}

static struct pair *make_pair(int client, int proxy) {
    struct pair *pair = calloc(1, sizeof *pair);
    char *bytes = pair == NULL ? NULL : malloc(2 * BUFFER);
    if (bytes == NULL) {
        free(pair);
        return NULL;
    }
    pair->sides[0] = client;
    pair->sides[1] = proxy;
    pair->flows[0].bytes = bytes;
    pair->flows[1].bytes = bytes + BUFFER;
    return pair;
}

static void introduce(struct pair *pair, const struct sockaddr_in *from, long long port, const char *via) {
    char name[256];
    pid_t pid = find_asker(ntohs(from->sin_port), (unsigned)port, name, sizeof name);
    pair->flows[0].end =
        (size_t)snprintf(pair->flows[0].bytes, BUFFER, "HUSK/1 pid=%d comm=%s via=%s\n", pid, name, via);
}

static void accept_one(int listener, long long port, const char *via) {
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    int client = accept4(listener, (struct sockaddr *)&from, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return;
    int proxy = connect_to_proxy();
    struct pair *pair = proxy < 0 ? NULL : make_pair(client, proxy);
    if (pair == NULL) {
        close(client);
        if (proxy >= 0) close(proxy);
        return;
    }
    introduce(pair, &from, port, via);
    pairs[count++] = pair;
}

static bool read_flow(struct flow *flow, int source) {
    if (flow->ended || flow->end == BUFFER) return true;
    ssize_t got = read(source, flow->bytes + flow->end, BUFFER - flow->end);
    if (got > 0) flow->end += (size_t)got;
    else if (got == 0) flow->ended = true;
    else return errno == EAGAIN || errno == EINTR;
    return true;
}

static bool write_flow(struct flow *flow, int target) {
    while (flow->start < flow->end) {
        ssize_t sent = write(target, flow->bytes + flow->start, flow->end - flow->start);
        if (sent < 0) return errno == EAGAIN || errno == EINTR;
        flow->start += (size_t)sent;
    }
    flow->start = flow->end = 0;
    if (flow->ended && !flow->passed_on) {
        shutdown(target, SHUT_WR);
        flow->passed_on = true;
    }
    return true;
}

/* False when the pair is done. */
static bool move_bytes(struct pair *pair) {
    for (int i = 0; i < 2; i++)
        if (!read_flow(&pair->flows[i], pair->sides[i]) || !write_flow(&pair->flows[i], pair->sides[1 - i]))
            return false;
    return !(pair->flows[0].passed_on && pair->flows[1].passed_on);
}

static void close_pair(size_t index) {
    struct pair *pair = pairs[index];
    pairs[index] = pairs[--count];
    close(pair->sides[0]);
    close(pair->sides[1]);
    free(pair->flows[0].bytes);
    free(pair);
}

static struct pollfd watch_side(const struct pair *pair, int side) {
    const struct flow *from = &pair->flows[side], *to = &pair->flows[1 - side];
    short events = 0;
    if (!from->ended && from->end < BUFFER) events |= POLLIN;
    if (to->start < to->end) events |= POLLOUT;
    return (struct pollfd){events == 0 ? -1 : pair->sides[side], events, 0};
}

_Noreturn void bridge_work(struct bridge_ports ports) {
    static struct pollfd watched[2 + 2 * PAIRS_MAX];
    for (;;) {
        bool room = count < PAIRS_MAX;
        watched[0] = (struct pollfd){room ? ports.http : -1, POLLIN, 0};
        watched[1] = (struct pollfd){room ? ports.socks : -1, POLLIN, 0};
        size_t before = count;
        for (size_t i = 0; i < before; i++)
            for (int side = 0; side < 2; side++) watched[2 + 2 * i + (size_t)side] = watch_side(pairs[i], side);
        if (poll_present(watched, 2 + 2 * before, -1) < 0) continue;
        /* From the end, because the last one takes the place of one that is closed. */
        for (size_t i = before; i-- > 0;)
            if ((watched[2 + 2 * i].revents || watched[3 + 2 * i].revents) && !move_bytes(pairs[i])) close_pair(i);
        if (watched[0].revents) accept_one(ports.http, settings.http_port, "http");
        if (watched[1].revents && count < PAIRS_MAX) accept_one(ports.socks, settings.socks_port, "socks");
        /* Without descriptors there is nothing to accept with: wait for some connection to end. */
        if (errno == EMFILE) errno = 0, usleep(10000);
    }
}
