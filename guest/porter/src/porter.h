/* A porter stays at the door of a kernel: a second process with the kernel's memory, but not its walls.
 *
 * A process inside a sandbox has no right to leave it, and neither have its children. So whoever is to be copied into
 * another sandbox is copied by somebody who shares its memory and stands outside: the porter. It sleeps, and does three
 * things: it copies itself while the kernel is parked (a snapshot: memory without a kernel), it lets a kernel loose on
 * a copy, in the sandbox it is told, and it says how the kernel ended.
 *
 * Who shares memory with a kernel belongs to the code in it. So a porter has no rights, and stands where there is nothing
 * (`guest/agent/src/launcher/family.h`). What it can do that others cannot is to join a sandbox of its own family, because
 * it is the same user's: for that it starts a mover, which has rights there until it has let the kernel in.
 *
 * It runs on a stack of its own, but with the thread area of the kernel's main thread. So it may call the C library
 * only while that thread is parked or does not exist; everything else goes straight to the system (`raw.h`).
 */
#ifndef HUSK_PORTER_H
#define HUSK_PORTER_H

#include <stdint.h>

enum { HUSK_LUGGAGE_MAX = 32 };

/* Where a kernel lives. The same for all copies of it but for `sandbox`. */
struct husk_house {
    int sandbox; /* a descriptor of the first process of the sandbox, or -1 outside of any */
    const void *filter; /* of system calls; NULL: none */
    unsigned filter_length;
};

/* Splits the calling process, which must have one thread: returns 0 in the kernel's process, inside the sandbox and
 * without any right; the caller itself becomes its porter and does not return. A negative number is an error.
 * `orders` listens for orders, `line` is where hello, birth and end are told. */
int husk_settle(const struct husk_house *house, int orders, int line);

/* Called by the kernel's main thread between two cells: lets the porter copy the memory. Returns 0 when it has, 1 in a
 * kernel that was let loose on a copy, -1 when nobody came in time. `ticket` is that of
 * the snapshot it parks for, `above` is higher than all its descriptors. */
int husk_park(uint64_t ticket, int milliseconds, int above);

/* What a kernel let loose on a copy was given: descriptors, in the order they were sent. */
int husk_luggage(int *descriptors);

/* Has Python's big blocks made of huge pages, as numpy has its arrays: a process is copied and ended page by page, and
 * they are five hundred times fewer. Called once, while there is one thread. */
void husk_ask_for_huge_pages(void);

#endif
