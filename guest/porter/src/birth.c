/* How a kernel comes into its sandbox: the porter starts a mover, which joins the sandbox and gives its rights up again;
 * the mover starts the kernel, as a child of the porter, and ends. All of them have the same memory. */
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "door.h"

/* All that a sandbox is; a porter may join nothing less. */
enum {
    SANDBOX = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
};
enum { ATTEMPTS = 10000 };
enum { NUMBERS_MAX = 4 * 1024 * 1024, BITS = 8 * sizeof(unsigned long) };

static char moving_stack[STACK] __attribute__((aligned(64)));
static char kernel_stack[STACK] __attribute__((aligned(64)));
/* What a kernel that is being born is called in its sandbox. Written by the system when it begins, and when it is gone
 * and no longer uses its stack; by itself when it has arrived. */
enum { AWAITED = -1, ARRIVED = -2, GONE = 0 };
static int newborn;
static int refused; /* its own number */
static unsigned long had[NUMBERS_MAX / BITS]; /* the numbers that this memory's kernels have had */

/* Much takes another number as the sign that it was copied (OpenSSL, ZeroMQ), and in another sandbox the same numbers
 * are given out again: so a copy never has the number of one it was copied from. */
static bool take_number(int number) {
    unsigned long bit = 1ul << ((unsigned)number % BITS), *word = &had[(unsigned)number % NUMBERS_MAX / BITS];
    bool taken = (*word & bit) != 0;
    *word |= bit;
    return !taken;
}

/* --- the kernel */

static void kernel(void) {
    refused = !take_number(newborn);
    if (refused) door_leave(0);
    *door.thread_id = newborn;
    thread_take_up();
    door_set(&newborn, ARRIVED);
    /* Changing who one is hides a process even from itself in /proc. */
    RAW(prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    long error = RAW(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (error != 0) {
        door_say(door.line, FAILED, (int)-error, 0);
        door_leave(127);
    }
    RAW(close, door.orders, 0, 0, 0, 0);
    RAW(close, door.children, 0, 0, 0, 0);
    if (door.house.sandbox >= 0) RAW(close, door.house.sandbox, 0, 0, 0, 0);
    door_say(door.line, BORN, 0, 0);
    RAW(close, door.line, 0, 0, 0, 0);
    thread_unmask();
    door_set(&door.state, RUNNING);
    __builtin_longjmp(door.resume, 1);
}

/* --- the mover */

static long give_up_rights(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct nothing[2] = {{0, 0, 0}, {0, 0, 0}};
    struct sock_fprog filter = {(unsigned short)door.house.filter_length,
                                (struct sock_filter *)(uintptr_t)door.house.filter};
    for (int capability = 0; RAW(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) continue;
    RAW(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    long error = RAW(capset, &header, nothing, 0, 0, 0);
    if (error == 0) error = RAW(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return error != 0 ? error : RAW(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

static long enter(void) {
    if (door.house.sandbox < 0) return 0;
    long error = RAW(setns, door.house.sandbox, SANDBOX, 0, 0, 0);
    return error != 0 ? error : give_up_rights();
}

static int await_newborn(void) {
    for (;;) {
        int now = __atomic_load_n(&newborn, __ATOMIC_SEQ_CST);
        if (now == ARRIVED || now == GONE) return now;
        door_wait_shared(&newborn, now);
    }
}

static int start_kernel(void) {
    enum { FLAGS = CLONE_VM | CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        newborn = AWAITED;
        refused = 0;
        long born = raw_clone(FLAGS | SIGCHLD, kernel_stack + STACK, &newborn, kernel);
        if (born < 0) return (int)born;
        if (await_newborn() == ARRIVED) return (int)born;
        if (!refused) return -ESRCH; /* it was killed on the way */
    }
    return -EAGAIN;
}

static void mover(void) {
    long error = enter();
    door.kernel = error != 0 ? (int)error : start_kernel();
    door_leave(0);
}

/* --- the porter */

int birth(void) {
    thread_unwatch();
    door.kernel = -ECHILD;
    long moving = raw_clone(CLONE_VM | CLONE_VFORK | SIGCHLD, moving_stack + STACK, NULL, mover);
    int error = (int)(moving < 0 ? moving : door.kernel < 0 ? door.kernel : 0);
    if (error != 0) door_say(door.line, FAILED, -error, 0);
    return error;
}
