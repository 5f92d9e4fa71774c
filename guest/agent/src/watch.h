#ifndef HUSK_WATCH_H
#define HUSK_WATCH_H

#include <poll.h>
#include <stddef.h>

/* Like poll, but places without a descriptor do not count: the kernel refuses more places than there may be descriptors. */
int poll_present(struct pollfd *watched, size_t count, int timeout);

#endif
