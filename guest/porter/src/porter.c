#include "porter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "raw.h"

enum { FIRST_NUMBER = 1000, ATTEMPTS = 500 };
enum { STACK = 64 * 1024, SIGNALS = 64, SIGNAL_SET = 8 /* bytes */ };
enum state { RUNNING, PARKED, COPYING, COPIED };
enum order { SNAPSHOT = 's', LOOSE = 'l' };
enum word { HELLO = 'h', BORN = 'b', ENDED = 'e', FAILED = 'f' };
enum { RSEQ_SIGNATURE = 0x53053053, RSEQ_UNREGISTER = 1 };

/* As the system knows it; the C library's own is another. */
struct action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

struct said {
    char word;
    char padding[3];
    int number; /* of an error, or how the kernel ended, as wait says it */
    long memory; /* the most it had, in KB */
};

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static struct {
    struct husk_house house;
    int orders, line;
    int number; /* the last one given to a kernel inside */
    int kernel; /* its pid, seen from the porter; 0 in a snapshot */
    int children; /* readable when a child has ended */
    int luggage[HUSK_LUGGAGE_MAX], pieces;
    int above; /* all descriptors that the kernel had open when it parked */
    uint64_t ticket;
    int state; /* shared between kernel and porter, waited on */
    void *resume[5];
    int *thread_id; /* where the C library keeps it */
    void *robust_list;
    size_t robust_size;
    stack_t alternate;
    uint64_t mask;
    struct action actions[SIGNALS + 1];
} door;

static char porter_stack[STACK] __attribute__((aligned(64)));
static char moving_stack[STACK] __attribute__((aligned(64)));

/* --- both */

static long futex(int operation, int value, const struct timespec *limit) {
    return RAW(futex, &door.state, operation | FUTEX_PRIVATE_FLAG, value, limit, 0);
}

static void set_state(enum state state) {
    __atomic_store_n(&door.state, state, __ATOMIC_SEQ_CST);
    futex(FUTEX_WAKE, 1 << 30, NULL);
}

static int change_state(enum state from, enum state to) {
    int expected = from;
    return __atomic_compare_exchange_n(&door.state, &expected, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void say(int line, enum word word, int number, long memory) {
    struct said said = {.word = (char)word, .number = number, .memory = memory};
    RAW(sendto, line, &said, sizeof said, MSG_NOSIGNAL, 0);
}

static void __attribute__((noreturn)) leave(int code) {
    for (;;) RAW(exit_group, code, 0, 0, 0, 0);
}

static void rseq(int flags) {
    if (&__rseq_size == NULL || __rseq_size == 0) return;
    char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
    RAW(rseq, area, 32, flags, RSEQ_SIGNATURE, 0);
}

/* --- the kernel's process */

static int enter(void) {
    if (door.house.sandbox < 0) return 0;
    long error = RAW(setns, door.house.sandbox, CLONE_NEWUSER, 0, 0, 0);
    if (error != 0) return (int)-error;
    RAW(setgroups, 0, NULL, 0, 0, 0); /* refused where nobody could have any */
    if ((error = RAW(setresgid, door.house.gid, door.house.gid, door.house.gid, 0, 0)) != 0) return (int)-error;
    if ((error = RAW(setresuid, door.house.uid, door.house.uid, door.house.uid, 0, 0)) != 0) return (int)-error;
    return 0;
}

static int give_up_rights(void) {
    if (door.house.sandbox < 0) return 0;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct nothing[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int capability = 0; RAW(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) continue;
    RAW(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    long error = RAW(capset, &header, nothing, 0, 0, 0);
    if (error == 0) error = RAW(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (error == 0 && door.house.filter != NULL) {
        struct sock_fprog filter = {(unsigned short)door.house.filter_length,
                                    (struct sock_filter *)(uintptr_t)door.house.filter};
        error = RAW(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
    }
    /* Changing who one is hides a process even from itself in /proc. */
    if (error == 0) error = RAW(prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    return (int)-error;
}

static void kernel(void) {
    int error = enter();
    if (error == 0) error = give_up_rights();
    if (error == 0) error = (int)-RAW(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (error != 0) {
        say(door.line, FAILED, error, 0);
        leave(127);
    }
    RAW(set_tid_address, door.thread_id, 0, 0, 0, 0);
    RAW(set_robust_list, door.robust_list, door.robust_size, 0, 0, 0);
    rseq(0);
    if ((door.alternate.ss_flags & SS_DISABLE) == 0) RAW(sigaltstack, &door.alternate, 0, 0, 0, 0);
    RAW(close, door.orders, 0, 0, 0, 0);
    RAW(close, door.children, 0, 0, 0, 0);
    if (door.house.sandbox >= 0) RAW(close, door.house.sandbox, 0, 0, 0, 0);
    say(door.line, BORN, 0, 0);
    RAW(close, door.line, 0, 0, 0, 0);
    for (int number = 1; number <= SIGNALS; number++)
        RAW(rt_sigaction, number, &door.actions[number], 0, SIGNAL_SET, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, &door.mask, 0, SIGNAL_SET, 0);
    set_state(RUNNING);
    __builtin_longjmp(door.resume, 1);
}

static void remember_thread(void) {
    RAW(prctl, PR_GET_TID_ADDRESS, &door.thread_id, 0, 0, 0);
    RAW(get_robust_list, 0, &door.robust_list, &door.robust_size, 0, 0);
    RAW(sigaltstack, 0, &door.alternate, 0, 0, 0);
    for (int number = 1; number <= SIGNALS; number++)
        RAW(rt_sigaction, number, 0, &door.actions[number], SIGNAL_SET, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, 0, &door.mask, SIGNAL_SET, 0);
}

static long now(void) {
    struct timespec time;
    RAW(clock_gettime, CLOCK_MONOTONIC, &time, 0, 0, 0);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Python's own preparations. In a copy they come before anything of Python runs: its lock may be wanted by a thread that
 * is not there. */
extern void PyOS_BeforeFork(void) __attribute__((weak));
extern void PyOS_AfterFork_Parent(void) __attribute__((weak));
extern void PyOS_AfterFork_Child(void) __attribute__((weak));

static int await_copy(int milliseconds) {
    remember_thread();
    if (__builtin_setjmp(door.resume) != 0) return 1;
    long limit = now() + milliseconds;
    set_state(PARKED);
    for (;;) {
        int state = __atomic_load_n(&door.state, __ATOMIC_SEQ_CST);
        if (state == COPIED) break;
        long left = limit - now();
        if (state == PARKED && left <= 0 && change_state(PARKED, RUNNING)) return -1;
        struct timespec wait = {left > 0 ? left / 1000 : 1, left > 0 ? left % 1000 * 1000000 : 0};
        futex(FUTEX_WAIT, state, &wait);
    }
    set_state(RUNNING);
    return 0;
}

int husk_park(uint64_t ticket, int milliseconds, int above) {
    door.ticket = ticket;
    door.above = above;
    PyOS_BeforeFork();
    int outcome = await_copy(milliseconds);
    if (outcome == 1) PyOS_AfterFork_Child();
    else PyOS_AfterFork_Parent();
    return outcome;
}

int husk_luggage(int *descriptors) {
    for (int i = 0; i < door.pieces; i++) descriptors[i] = door.luggage[i];
    return door.pieces;
}

/* --- the porter */

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
        say(door.line, ENDED, status, usage.ru_maxrss);
        leave(0);
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
        if (state == PARKED && door.ticket == ticket && change_state(PARKED, COPYING)) return 1;
        bury();
        struct timespec moment = {0, 10000000};
        futex(FUTEX_WAIT, state, &moment);
    }
}

static void serve(void);
static void let_loose(void);

/* Every copy starts at the top: otherwise the copies of copies would run out of stack. */
static void __attribute__((noreturn)) start_over(void (*run)(void)) { raw_leave_stack(porter_stack + STACK, run); }

/* A copy of the memory, with the orders it is to listen for. */
static void snapshot(int connection, uint64_t ticket, const int *descriptors, int count) {
    if (count != 1 || !kernel_parked(connection, ticket)) {
        say(connection, FAILED, EINVAL, 0);
        return;
    }
    pid_t copy = fork();
    if (copy != 0) {
        set_state(COPIED);
        if (copy < 0) say(connection, FAILED, EAGAIN, 0);
        return;
    }
    door.kernel = 0;
    door.orders = descriptors[0];
    door.line = connection;
    door.state = COPIED;
    RAW(prctl, PR_SET_NAME, "husk-snapshot", 0, 0, 0);
    say(connection, HELLO, 0, 0);
    keep_only((int[]){door.orders, door.line, door.children}, 3);
    start_over(serve);
}

static int enter_walls(void) {
    if (door.house.sandbox < 0) return 0;
    long error = RAW(setns, door.house.sandbox, CLONE_NEWPID, 0, 0, 0);
    return (int)(error != 0 ? error : RAW(setns, door.house.sandbox, door.house.namespaces, 0, 0, 0));
}

/* Much takes another number as the sign that it was copied (OpenSSL, ZeroMQ), and in another sandbox the same numbers
 * are given out again: so a copy never has the number of one it was copied from. */
static int clone_kernel(void) {
    rseq(RSEQ_UNREGISTER);
    int error = enter_walls();
    for (int attempt = 0; error == 0 && attempt < ATTEMPTS; attempt++) {
        pid_t wanted = ++door.number;
        struct clone_args arguments = {
            .flags = CLONE_VM | CLONE_CHILD_SETTID,
            .child_tid = (uintptr_t)door.thread_id,
            .exit_signal = SIGCHLD,
            .stack = (uintptr_t)moving_stack,
            .stack_size = STACK,
            .set_tid = door.house.sandbox >= 0 ? (uintptr_t)&wanted : 0,
            .set_tid_size = door.house.sandbox >= 0 ? 1 : 0,
        };
        long born = raw_clone(&arguments, sizeof arguments, kernel);
        if (born != -EEXIST) return (int)born;
    }
    return error != 0 ? error : -EEXIST;
}

/* The porter's further children are to be born beside it, not beside the kernel. */
static int stay_outside(void) {
    if (door.house.sandbox < 0) return 0;
    long self = RAW(pidfd_open, RAW(getpid, 0, 0, 0, 0, 0), 0, 0, 0, 0);
    return (int)(self < 0 ? self : RAW(setns, self, CLONE_NEWPID, 0, 0, 0));
}

/* Lets a kernel loose on this memory. */
static void let_loose(void) {
    door.kernel = clone_kernel();
    int error = door.kernel < 0 ? door.kernel : stay_outside();
    if (error < 0) {
        say(door.line, FAILED, -error, 0);
        leave(127);
    }
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
        say(connection, FAILED, EINVAL, 0);
        return;
    }
    pid_t copy = fork();
    if (copy < 0) say(connection, FAILED, EAGAIN, 0);
    if (copy != 0) return;
    RAW(prctl, PR_SET_NAME, "husk-porter", 0, 0, 0);
    int error = join_groups(descriptors + 2, ordered->groups);
    if (error != 0) {
        say(connection, FAILED, error, 0);
        leave(127);
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
        if (polled[2].revents != 0) leave(0);
        if (polled[1].revents != 0) bury();
        if (polled[0].revents & POLLIN) take_order();
        if (polled[0].revents & (POLLERR | POLLHUP | POLLNVAL)) leave(1);
    }
}

int husk_settle(const struct husk_house *house, int orders, int line) {
    door.house = *house;
    door.orders = orders;
    door.line = line;
    door.number = FIRST_NUMBER;
    remember_thread();
    if (__builtin_setjmp(door.resume) != 0) return 0;
    uint64_t all = ~(uint64_t)0;
    RAW(prctl, PR_SET_NAME, "husk-porter", 0, 0, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, &all, 0, SIGNAL_SET, 0);
    uint64_t child = (uint64_t)1 << (SIGCHLD - 1);
    door.children = (int)RAW(signalfd4, -1, &child, SIGNAL_SET, SFD_CLOEXEC | SFD_NONBLOCK, 0);
    start_over(let_loose);
}
