#ifndef HUSK_CLOCK_H
#define HUSK_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t milliseconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Only ever goes forward; for deadlines and durations. */
static inline int64_t now_ms(void) { return milliseconds_of(CLOCK_MONOTONIC); }

/* Of the calendar; for people. */
static inline int64_t unix_ms(void) { return milliseconds_of(CLOCK_REALTIME); }

static inline void pause_ms(long milliseconds) {
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

#endif
