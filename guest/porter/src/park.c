/* How a kernel's main thread waits between two cells while its memory is copied. */
#include <time.h>

#include "door.h"

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
    thread_remember();
    if (__builtin_setjmp(door.resume) != 0) return 1;
    long limit = now() + milliseconds;
    door_set(&door.state, PARKED);
    for (;;) {
        int state = __atomic_load_n(&door.state, __ATOMIC_SEQ_CST);
        if (state == COPIED) break;
        long left = limit - now();
        if (state == PARKED && left <= 0 && door_change(PARKED, RUNNING)) return -1;
        struct timespec wait = {left > 0 ? left / 1000 : 1, left > 0 ? left % 1000 * 1000000 : 0};
        door_wait(&door.state, state, &wait);
    }
    door_set(&door.state, RUNNING);
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

