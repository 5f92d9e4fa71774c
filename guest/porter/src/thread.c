#include "door.h"

#include <stddef.h>
#include <sys/prctl.h>

enum { RSEQ_SIGNATURE = 0x53053053, RSEQ_UNREGISTER = 1 };

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static void rseq(int flags) {
    if (&__rseq_size == NULL || __rseq_size == 0) return;
    char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
    RAW(rseq, area, 32, flags, RSEQ_SIGNATURE, 0);
}

void thread_remember(void) {
    RAW(prctl, PR_GET_TID_ADDRESS, &door.thread_id, 0, 0, 0);
    RAW(get_robust_list, 0, &door.robust_list, &door.robust_size, 0, 0);
    RAW(sigaltstack, 0, &door.alternate, 0, 0, 0);
    for (int number = 1; number <= SIGNALS; number++)
        RAW(rt_sigaction, number, 0, &door.actions[number], SIGNAL_SET, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, 0, &door.mask, SIGNAL_SET, 0);
}

void thread_unwatch(void) { rseq(RSEQ_UNREGISTER); }

void thread_take_up(void) {
    RAW(set_tid_address, door.thread_id, 0, 0, 0, 0);
    RAW(set_robust_list, door.robust_list, door.robust_size, 0, 0, 0);
    rseq(0);
    if ((door.alternate.ss_flags & SS_DISABLE) == 0) RAW(sigaltstack, &door.alternate, 0, 0, 0, 0);
}

void thread_unmask(void) {
    for (int number = 1; number <= SIGNALS; number++)
        RAW(rt_sigaction, number, &door.actions[number], 0, SIGNAL_SET, 0);
    RAW(rt_sigprocmask, SIG_SETMASK, &door.mask, 0, SIGNAL_SET, 0);
}
