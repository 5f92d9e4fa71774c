#include "porter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door.h"

enum order { SNAPSHOT = 's', LOOSE = 'l' };

static char porter_stack[STACK] __attribute__((aligned(64)));

/* Closes everything else. */
static void keep_only(const int *kept, int count) {
    for (int from = 0;;) {
        int next = INT_MAX;
        for (int i = 0; i < count; i++)
            if (kept[i] >= from && kept[i] < next) next = kept[i];
        if (next > from) RAW(close_range, from, next == INT_MAX ? ~0u : (unsigned)next - 1, 0, 0, 0);
        if (next == INT_MAX) return;
        from = next + 1;
    }
}

/* Buries what has ended: snapshots and their copies silently; with its kernel the porter ends too. */
static void bury(void) {
    struct signalfd_siginfo news;
    RAW(read, door.children, &news, sizeof news, 0, 0);
    for (;;) {
        struct rusage usage;
        int status = 0;
        long ended = RAW(wait4, -1, &status, WNOHANG | __WALL, &usage, 0);
        if (ended <= 0) return;
        if (ended != door.kernel) continue;
        door_say(door.line, ENDED, status, usage.ru_maxrss);
        door_leave(0);
    }
}

struct ordered {
    char order;
    unsigned char groups; /* how many of the descriptors are of cgroups */
    char padding[6];
    uint64_t ticket; /* of the snapshot: a kernel parks for one of them */
};

static int receive(int connection, struct ordered *ordered, int *descriptors) {
    struct iovec part = {ordered, sizeof *ordered};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * HUSK_LUGGAGE_MAX)];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    long received = RAW(recvmsg, connection, &message, MSG_CMSG_CLOEXEC, 0, 0);
    if (received != sizeof *ordered) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return 0;
    int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < count; i++) descriptors[i] = ((int *)CMSG_DATA(header))[i];
    return count;
}

static void close_all(const int *descriptors, int count) {
    for (int i = 0; i < count; i++) RAW(close, descriptors[i], 0, 0, 0, 0);
}

static int hung_up(int connection) {
    struct pollfd poll = {connection, POLLRDHUP, 0};
    struct timespec at_once = {0, 0};
    return RAW(ppoll, &poll, 1, &at_once, 0, SIGNAL_SET) > 0;
}

/* Until the kernel has parked for this; it may be in the middle of a cell. */
static int kernel_parked(int connection, uint64_t ticket) {
    for (;;) {
        if (hung_up(connection)) return 0;
        int state = __atomic_load_n(&door.state, __ATOMIC_SEQ_CST);
        if (state == PARKED && door.ticket == ticket && door_change(PARKED, COPYING)) return 1;
        bury();
        struct timespec moment = {0, 10000000};
        door_wait(&door.state, state, &moment);
    }
}

static void serve(void);
static void let_loose(void);

/* Every copy starts at the top: otherwise the copies of copies would run out of stack. */
static void __attribute__((noreturn)) start_over(void (*run)(void)) { raw_leave_stack(porter_stack + STACK, run); }

/* A copy of the memory, with the orders it is to listen for. */
static void snapshot(int connection, uint64_t ticket, const int *descriptors, int count) {
    if (count != 1 || !kernel_parked(connection, ticket)) {
        door_say(connection, FAILED, EINVAL, 0);
        return;
    }
    pid_t copy = fork();
    if (copy != 0) {
        door_set(&door.state, COPIED);
        if (copy < 0) door_say(connection, FAILED, EAGAIN, 0);
        return;
    }
    door.kernel = 0;
    door.orders = descriptors[0];
    door.line = connection;
    door.state = COPIED;
    RAW(prctl, PR_SET_NAME, "husk-snapshot", 0, 0, 0);
    door_say(connection, HELLO, 0, 0);
    keep_only((int[]){door.orders, door.line, door.children}, 3);
    start_over(serve);
}

/* Lets a kernel loose on this memory. */
static void let_loose(void) {
    if (birth() != 0) door_leave(127);
    keep_only((int[]){door.orders, door.line, door.children}, 3);
    start_over(serve);
}

/* Above the numbers that the original had open: what it leaves behind in memory may still close those. */
static int put_aside(int descriptor) {
    long moved = RAW(fcntl, descriptor, F_DUPFD_CLOEXEC, door.above, 0, 0);
    if (moved < 0) return descriptor;
    RAW(close, descriptor, 0, 0, 0, 0);
    return (int)moved;
}

/* A process with one thread can move by itself, and at once: to have it moved takes the system ten milliseconds. */
static int join_groups(const int *groups, int count) {
    for (int i = 0; i < count; i++) {
        long written = RAW(write, groups[i], "0", 1, 0, 0);
        if (written < 0) return (int)-written;
        RAW(close, groups[i], 0, 0, 0, 0);
    }
    return 0;
}

/* Copies a snapshot, and lets a kernel loose on the copy. The first descriptor is where orders will come, the second
 * the sandbox (or the first once more, where there is none); then come the cgroups, and the rest is the kernel's. */
static void loose(int connection, const struct ordered *ordered, const int *descriptors, int count) {
    int own = 2 + ordered->groups;
    if (door.kernel != 0 || count < own) {
        door_say(connection, FAILED, EINVAL, 0);
        return;
    }
    pid_t copy = fork();
    if (copy < 0) door_say(connection, FAILED, EAGAIN, 0);
    if (copy != 0) return;
    RAW(prctl, PR_SET_NAME, "husk-porter", 0, 0, 0);
    int error = join_groups(descriptors + 2, ordered->groups);
    if (error != 0) {
        door_say(connection, FAILED, error, 0);
        door_leave(127);
    }
    RAW(close, door.orders, 0, 0, 0, 0);
    RAW(close, door.line, 0, 0, 0, 0);
    door.orders = descriptors[0];
    door.line = connection;
    if (door.house.sandbox >= 0) door.house.sandbox = descriptors[1];
    else RAW(close, descriptors[1], 0, 0, 0, 0);
    door.pieces = count - own;
    for (int i = 0; i < door.pieces; i++) door.luggage[i] = put_aside(descriptors[own + i]);
    start_over(let_loose);
}

static void take_order(void) {
    long connection = RAW(accept4, door.orders, 0, 0, SOCK_CLOEXEC, 0);
    if (connection < 0) return;
    struct ordered ordered = {0};
    int descriptors[HUSK_LUGGAGE_MAX];
    int count = receive((int)connection, &ordered, descriptors);
    if (count >= 0 && ordered.order == SNAPSHOT) snapshot((int)connection, ordered.ticket, descriptors, count);
    if (count >= 0 && ordered.order == LOOSE) loose((int)connection, &ordered, descriptors, count);
    if (count > 0) close_all(descriptors, count);
    RAW(close, connection, 0, 0, 0, 0);
}

static void serve(void) {
    for (;;) {
        /* A kernel lives on when nobody holds its line any more; a snapshot then has nobody left to live for. */
        int line = door.kernel > 0 ? -1 : door.line;
        struct pollfd polled[] = {{door.orders, POLLIN, 0}, {door.children, POLLIN, 0}, {line, POLLRDHUP, 0}};
        RAW(ppoll, polled, 3, 0, 0, SIGNAL_SET);
        if (polled[2].revents != 0) door_leave(0);
        if (polled[1].revents != 0) bury();
        if (polled[0].revents & POLLIN) take_order();
        if (polled[0].revents & (POLLERR | POLLHUP | POLLNVAL)) door_leave(1);
    }
}

int husk_settle(const struct husk_house *house, int orders, int line) {
    door.house = *house;
    door.orders = orders;
    door.line = line;
    thread_remember();
    if (__builtin_setjmp(door.resume) != 0) return 0;
    uint64_t all = ~(uint64_t)0;
    RAW(prctl, PR_SET_NAME, "husk-porter", 0, 0, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, &all, 0, SIGNAL_SET, 0);
    uint64_t child = (uint64_t)1 << (SIGCHLD - 1);
    door.children = (int)RAW(signalfd4, -1, &child, SIGNAL_SET, SFD_CLOEXEC | SFD_NONBLOCK, 0);
    start_over(let_loose);
}
