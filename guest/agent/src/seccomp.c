#include "seccomp.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/falloc.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "seccomp_calls.h"
#include "seccomp_rules.h"

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter knows x86_64 and aarch64"
#endif

enum { X32_BIT = 0x40000000, CAPACITY = 1024 };

/* The kernel reads these arguments as 32 bits; a high half that is not zero must not hide them. */
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

static struct sock_filter program[CAPACITY];
static unsigned short length;

static void emit(unsigned short code, unsigned k, unsigned char yes, unsigned char no) {
    program[length++] = (struct sock_filter){code, yes, no, k};
}

static void load(unsigned offset) { emit(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(unsigned action) { emit(BPF_RET | BPF_K, action, 0, 0); }

static void answer_if_equal(unsigned value, unsigned action) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(action);
}

/* Opens a block that is passed over by other calls; `close_block` ends it and allows what came through. */
static unsigned short open_block(unsigned number) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0);
    return (unsigned short)(length - 1);
}

static void close_block(unsigned short opened, unsigned action) {
    answer(action);
    program[opened].jf = (unsigned char)(length - opened - 1);
}

static void architecture(void) {
    load(offsetof(struct seccomp_data, arch));
    emit(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
#endif
}

enum {
    NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
};

static void refuse_if_set(unsigned argument, unsigned bits) {
    load(ARGUMENT(argument));
    emit(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(REFUSE(EPERM));
}

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2U
#endif

static void nothing_apart_by_clone(void) {
    unsigned short block = open_block(__NR_clone);
    load(ARGUMENT(0));
    emit(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1);
    answer(REFUSE(EPERM));
    /* A thread with files of its own would be overlooked by whoever counts them. */
    emit(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 2);
    emit(BPF_JMP | BPF_JSET | BPF_K, CLONE_FILES, 1, 0);
    answer(REFUSE(EPERM));
    close_block(block, SECCOMP_RET_ALLOW);
    unsigned short closing = open_block(__NR_close_range);
    refuse_if_set(2, CLOSE_RANGE_UNSHARE);
    close_block(closing, SECCOMP_RET_ALLOW);
}

static void plain_personalities(void) {
    unsigned short block = open_block(__NR_personality);
    load(ARGUMENT(0));
    answer_if_equal(0, SECCOMP_RET_ALLOW);
    answer_if_equal(PER_LINUX32, SECCOMP_RET_ALLOW);
    answer_if_equal(0xffffffff, SECCOMP_RET_ALLOW);
    answer_if_equal(ADDR_NO_RANDOMIZE, SECCOMP_RET_ALLOW);
    close_block(block, REFUSE(EPERM));
}

/* A file with such a bit would lend its owner's rights to whoever finds it on the host, and there the owner may be root. */
enum { LENDING = S_ISUID | S_ISGID };

static void no_special_files(unsigned number, unsigned mode_argument) {
    unsigned short block = open_block(number);
    load(ARGUMENT(mode_argument));
    emit(BPF_ALU | BPF_AND | BPF_K, S_IFMT, 0, 0);
    answer_if_equal(S_IFCHR, REFUSE(EPERM));
    answer_if_equal(S_IFBLK, REFUSE(EPERM));
    refuse_if_set(mode_argument, LENDING);
    close_block(block, SECCOMP_RET_ALLOW);
}

static void no_lending(unsigned number, unsigned mode_argument) {
    unsigned short block = open_block(number);
    refuse_if_set(mode_argument, LENDING);
    close_block(block, SECCOMP_RET_ALLOW);
}

/* The mode counts only where a file may be made. */
static void no_lending_at_birth(unsigned number, unsigned flags_argument) {
    unsigned short block = open_block(number);
    load(ARGUMENT(flags_argument));
    emit(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3);
    refuse_if_set(flags_argument + 1, LENDING);
    close_block(block, SECCOMP_RET_ALLOW);
}

static void no_files_that_lend_rights(void) {
#ifdef __x86_64__
    no_lending(__NR_chmod, 1);
    no_lending(__NR_creat, 1);
    no_lending_at_birth(__NR_open, 1);
#endif
    no_lending(__NR_fchmod, 1);
    no_lending(__NR_fchmodat, 2);
    no_lending(__NR_fchmodat2, 2);
    no_lending_at_birth(__NR_openat, 2);
}

/* The agent looks at what processes hold open. Who wants to hide is told that it is hidden; from whom, the walls decide. */
static void no_hiding(void) {
    unsigned short block = open_block(__NR_prctl);
    load(ARGUMENT(0));
    emit(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_DUMPABLE, 0, 3);
    load(ARGUMENT(1));
    answer_if_equal(0, REFUSE(0));
    close_block(block, SECCOMP_RET_ALLOW);
}

/* What XFS named and every file system answers to: with these one reserves space, or has one byte take a gigabyte. */
enum { KIND = _IOC(_IOC_WRITE, _IOC_TYPEMASK, 0, 0), RESERVING = _IOC(_IOC_WRITE, 'X', 0, 0) };

static void no_typing_and_no_reserving(void) {
    unsigned short block = open_block(__NR_ioctl);
    load(ARGUMENT(1));
    answer_if_equal(TIOCSTI, REFUSE(EPERM));
    answer_if_equal(TIOCLINUX, REFUSE(EPERM));
    emit(BPF_ALU | BPF_AND | BPF_K, KIND, 0, 0);
    answer_if_equal(RESERVING, REFUSE(EOPNOTSUPP));
    close_block(block, SECCOMP_RET_ALLOW);
}

/* A disk is full in no time when nobody has to write what fills it. Who only gives space back may; the others are told,
 * as on file systems that cannot, to write zeros, which the watch on the workspace can keep up with. */
static void no_space_without_writing(void) {
    unsigned short block = open_block(__NR_fallocate);
    load(ARGUMENT(1));
    answer_if_equal(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, SECCOMP_RET_ALLOW);
    answer_if_equal(FALLOC_FL_COLLAPSE_RANGE, SECCOMP_RET_ALLOW);
    close_block(block, REFUSE(EOPNOTSUPP));
}

static void never_with(unsigned number, unsigned flags_argument, unsigned flag, unsigned error) {
    unsigned short block = open_block(number);
    load(ARGUMENT(flags_argument));
    emit(BPF_JMP | BPF_JSET | BPF_K, flag, 0, 1);
    answer(REFUSE(error));
    close_block(block, SECCOMP_RET_ALLOW);
}

/* Those that were set aside on the machine are for whoever they were set aside for, and no limit of memory counts them. */
static void no_huge_pages_of_others(void) {
    never_with(__NR_mmap, 3, MAP_HUGETLB, ENOMEM);
    never_with(__NR_memfd_create, 1, MFD_HUGETLB, ENOMEM);
    never_with(__NR_shmget, 2, SHM_HUGETLB, ENOMEM);
}

/* What a renaming leaves behind with this flag is a device, which overlays take for a file that is gone. */
static void no_whiteouts(void) {
    unsigned short block = open_block(__NR_renameat2);
    refuse_if_set(4, RENAME_WHITEOUT);
    close_block(block, SECCOMP_RET_ALLOW);
}

/* With rights over a network that leads nowhere one could still feed the kernel's packet filters. */
static void no_packet_filters(void) {
    static const unsigned options[] = {64, 65, 96, 97, 128, 129}; /* of iptables, arptables, ebtables */
    enum { COUNT = sizeof options / sizeof options[0] };
    unsigned short block = open_block(__NR_setsockopt);
    load(ARGUMENT(1));
    emit(BPF_JMP | BPF_JEQ | BPF_K, SOL_IP, 1, 0);
    emit(BPF_JMP | BPF_JEQ | BPF_K, SOL_IPV6, 0, 1 + 2 * COUNT);
    load(ARGUMENT(2));
    for (size_t i = 0; i < COUNT; i++) answer_if_equal(options[i], REFUSE(EPERM));
    close_block(block, SECCOMP_RET_ALLOW);
}

/* The limit of core files stays what it is: who asks for another is told that all is well, and gets none as before.
 * Limits of other processes stay too, the agent's among them. */
static void no_core_files(void) {
#ifdef __NR_setrlimit
    unsigned short older = open_block(__NR_setrlimit);
    load(ARGUMENT(0));
    answer_if_equal(RLIMIT_CORE, REFUSE(0));
    close_block(older, SECCOMP_RET_ALLOW);
#endif
    unsigned short block = open_block(__NR_prlimit64);
    load(ARGUMENT(2));
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(ARGUMENT(2) + 4);
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(SECCOMP_RET_ALLOW); /* without a new limit it only asks */
    refuse_if_set(0, ~0u);
    load(ARGUMENT(1));
    answer_if_equal(RLIMIT_CORE, REFUSE(0));
    close_block(block, SECCOMP_RET_ALLOW);
}

/* The agent is the same user as those it watches: whoever could slow it down or limit it would be rid of it. */
static void only_for_itself(unsigned number, unsigned who_argument) {
    unsigned short block = open_block(number);
    refuse_if_set(who_argument, ~0u);
    close_block(block, SECCOMP_RET_ALLOW);
}

/* For all of a user's processes nobody is named, and that is not the caller alone. */
static void not_for_all(unsigned number, unsigned everybody) {
    unsigned short block = open_block(number);
    load(ARGUMENT(0));
    answer_if_equal(everybody, REFUSE(EPERM));
    refuse_if_set(1, ~0u);
    close_block(block, SECCOMP_RET_ALLOW);
}

/* Libraries give their threads, by number, the policy that all have; libzmq aborts where it may not. */
static void ordinary_policy_for_others(void) {
    unsigned short block = open_block(__NR_sched_setscheduler);
    load(ARGUMENT(1));
    answer_if_equal(SCHED_OTHER, SECCOMP_RET_ALLOW);
    refuse_if_set(0, ~0u);
    close_block(block, SECCOMP_RET_ALLOW);
}

static void no_slowing_of_others(void) {
    ordinary_policy_for_others();
    only_for_itself(__NR_sched_setattr, 0);
    not_for_all(__NR_setpriority, PRIO_USER);
    not_for_all(__NR_ioprio_set, IOPRIO_WHO_USER);
}

static void usual_sockets(unsigned number) {
    unsigned short block = open_block(number);
    load(ARGUMENT(0));
    answer_if_equal(AF_UNIX, SECCOMP_RET_ALLOW);
    answer_if_equal(AF_INET, SECCOMP_RET_ALLOW);
    answer_if_equal(AF_INET6, SECCOMP_RET_ALLOW);
    emit(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 3);
    load(ARGUMENT(2));
    answer_if_equal(NETLINK_ROUTE, SECCOMP_RET_ALLOW);
    close_block(block, REFUSE(EAFNOSUPPORT));
}

/* Where processors are the limit, whoever could choose others would have none. */
static void processors(bool fixed) {
    if (fixed) answer_if_equal(__NR_sched_setaffinity, REFUSE(EPERM));
    else answer_if_equal(__NR_sched_setaffinity, SECCOMP_RET_ALLOW);
}

/* A porter lets kernels into sandboxes: with all that a sandbox is, or not at all. What it lets in has the whole filter
 * on top of this one. */
static void porters_calls(void) {
    unsigned short block = open_block(__NR_setns);
    load(ARGUMENT(1));
    answer_if_equal(NAMESPACES, SECCOMP_RET_ALLOW);
    close_block(block, REFUSE(EPERM));
}

/* Bubblewrap makes namespaces and mounts. The agent that it starts has this filter too, and puts another on top of it
 * when it has hidden itself. */
static void builders_calls(void) {
    /* The sandbox's user namespace is made for it. */
    unsigned short joining = open_block(__NR_setns);
    load(ARGUMENT(1));
    answer_if_equal(CLONE_NEWUSER, SECCOMP_RET_ALLOW);
    close_block(joining, REFUSE(EPERM));
    /* It wants to be looked at, and is told that it is. The agent, which decides for itself, says so by an argument that
     * the system does not look at. */
    unsigned short hiding = open_block(__NR_prctl);
    load(ARGUMENT(0));
    emit(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_DUMPABLE, 0, 5);
    load(ARGUMENT(2));
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(ARGUMENT(1));
    answer_if_equal(1, REFUSE(0));
    close_block(hiding, SECCOMP_RET_ALLOW);
    static const unsigned calls[] = {
        __NR_unshare, __NR_mount, __NR_umount2, __NR_pivot_root,
        /* the others are looked at by the agent's filter */
        __NR_clone, __NR_personality, __NR_mknodat, __NR_fchmod, __NR_fchmodat, __NR_fchmodat2, __NR_openat,
        __NR_ioctl, __NR_fallocate, __NR_renameat2, __NR_setsockopt, __NR_prlimit64, __NR_sched_setscheduler,
        __NR_sched_setattr, __NR_sched_setaffinity, __NR_setpriority, __NR_ioprio_set, __NR_mmap, __NR_memfd_create,
        __NR_shmget, __NR_close_range,
#ifdef __NR_setrlimit
        __NR_setrlimit,
#endif
#ifdef __x86_64__
        __NR_mknod, __NR_chmod, __NR_creat, __NR_open,
#endif
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) answer_if_equal(calls[i], SECCOMP_RET_ALLOW);
}

static void insiders_calls(bool fixed_processors, bool hidden) {
    nothing_apart_by_clone();
    plain_personalities();
#ifdef __NR_mknod
    no_special_files(__NR_mknod, 1);
#endif
    no_special_files(__NR_mknodat, 2);
    no_files_that_lend_rights();
    if (hidden) answer_if_equal(__NR_prctl, SECCOMP_RET_ALLOW);
    else no_hiding();
    no_typing_and_no_reserving();
    no_space_without_writing();
    no_whiteouts();
    no_huge_pages_of_others();
    no_packet_filters();
    no_core_files();
    no_slowing_of_others();
    processors(fixed_processors);
}

static int by_number(const void *one, const void *other) {
    return *(const unsigned short *)one - *(const unsigned short *)other;
}

/* In runs of neighbours, which are few. */
static void allow_listed(void) {
    enum { COUNT = sizeof allowed_calls / sizeof allowed_calls[0] };
    unsigned short sorted[COUNT];
    memcpy(sorted, allowed_calls, sizeof sorted);
    qsort(sorted, COUNT, sizeof sorted[0], by_number);
    for (size_t from = 0, to; from < COUNT; from = to) {
        for (to = from + 1; to < COUNT && sorted[to] <= sorted[to - 1] + 1;) to++;
        emit(BPF_JMP | BPF_JGE | BPF_K, sorted[from], 0, 2);
        emit(BPF_JMP | BPF_JGT | BPF_K, sorted[to - 1], 1, 0);
        answer(SECCOMP_RET_ALLOW);
    }
}

/* On top of another: takes away what would let a file grow although RLIMIT_FSIZE is 0, and most of what takes space by
 * its name alone. Files can still be made, since `>/dev/null` makes one. */
static void nothing_new(void) {
    static const unsigned calls[] = {
        __NR_mkdirat, __NR_symlinkat, __NR_linkat, __NR_mknodat, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr,
        CALL_SETXATTRAT,
#ifdef __x86_64__
        __NR_mkdir, __NR_symlink, __NR_link, __NR_mknod,
#endif
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) answer_if_equal(calls[i], REFUSE(EDQUOT));
    unsigned short block = open_block(__NR_mmap);
    load(ARGUMENT(3));
    emit(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 0, 0);
    answer_if_equal(MAP_SHARED, REFUSE(EDQUOT));
    close_block(block, SECCOMP_RET_ALLOW);
    answer(SECCOMP_RET_ALLOW);
}

static void only_wait_and_end(void) {
    static const unsigned calls[] = {__NR_flock, __NR_restart_syscall, __NR_rt_sigreturn, __NR_exit_group};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) answer_if_equal(calls[i], SECCOMP_RET_ALLOW);
    answer(REFUSE(EPERM));
}

static void build(enum filter filter) {
    architecture();
    if (filter == FILTER_FAMILY) {
        only_wait_and_end();
        return;
    }
    if (filter == FILTER_FULL) {
        nothing_new();
        return;
    }
    if (filter == FILTER_PORTER || filter == FILTER_PORTER_FIXED_PROCESSORS) porters_calls();
    if (filter == FILTER_BUILDER) builders_calls();
    else insiders_calls(filter == FILTER_FIXED_PROCESSORS || filter == FILTER_PORTER_FIXED_PROCESSORS, filter == FILTER_STARTING);
    usual_sockets(__NR_socket);
    usual_sockets(__NR_socketpair);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        answer_if_equal(refusals[i].number, REFUSE(refusals[i].error));
    allow_listed();
    answer(REFUSE(ENOSYS));
}

static struct sock_fprog made(enum filter filter) {
    length = 0;
    build(filter);
    return (struct sock_fprog){.len = length, .filter = program};
}

int seccomp_install(enum filter filter) {
    struct sock_fprog instructions = made(filter);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &instructions);
}

int seccomp_write(enum filter filter, int file) {
    struct sock_fprog instructions = made(filter);
    size_t size = instructions.len * sizeof program[0];
    return write(file, program, size) == (ssize_t)size ? 0 : 1;
}

int seccomp_print(const char *name) {
    static const char *const names[] = {
        [FILTER_INSIDE] = "inside", [FILTER_FIXED_PROCESSORS] = "fixed-processors", [FILTER_PORTER] = "porter",
        [FILTER_PORTER_FIXED_PROCESSORS] = "porter-fixed-processors"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) != 0) continue;
        return seccomp_write((enum filter)i, STDOUT_FILENO);
    }
    return 2;
}
