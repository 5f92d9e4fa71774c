/* What a kernel and its porter know of each other: in memory that both have, and all of their copies. */
#ifndef HUSK_DOOR_H
#define HUSK_DOOR_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "porter.h"
#include "raw.h"

/* Called without the linker's help, which would need the C library. */
#pragma GCC visibility push(hidden)

enum { STACK = 64 * 1024, SIGNALS = 64, SIGNAL_SET = 8 /* bytes */ };
enum state { RUNNING, PARKED, COPYING, COPIED };
enum word { HELLO = 'h', BORN = 'b', ENDED = 'e', FAILED = 'f' };

/* As the system knows it; the C library's own is another. */
struct action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

struct door {
    struct husk_house house;
    int orders, line;
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
};

extern struct door door;

/* Waits on one of these numbers while it has this value, and wakes whoever does. */
long door_wait(int *number, int value, const struct timespec *limit);
void door_set(int *number, int value);

/* The same where the system may be the one who wakes. */
long door_wait_shared(int *number, int value);

/* Whether the state was `from`; it is then `to`. */
int door_change(enum state from, enum state to);

/* A word on a line. */
void door_say(int line, enum word word, int number, long memory);

/* Ends this process. */
void door_leave(int code) __attribute__((noreturn));

/* What a kernel's main thread has beside its memory, noted before it is left and taken up again by who goes on as it. */
void thread_remember(void);
void thread_take_up(void);
void thread_unmask(void); /* signals, last of all */

/* The C library has the system watch an area of each thread's; only one process may have that of ours. */
void thread_unwatch(void);

/* Lets a kernel loose on this memory, in the sandbox of the house. Its number as the porter sees it is then at the door;
 * 0, or an error of which the line has been told. */
int birth(void);

#pragma GCC visibility pop

#endif
