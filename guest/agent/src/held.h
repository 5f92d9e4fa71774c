/* Files that take space because some process holds them open. */
#ifndef HUSK_HELD_H
#define HUSK_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "inodes.h"

/* What even an empty file takes; a disk can run out of these too. */
enum { INODE_BYTES = 1024 };

/* Deleted files on these devices, and files outside the sandbox that somebody inside can write to: what a kernel brought
 * along when it moved in. Each once. */
int64_t held_bytes(const dev_t *devices, size_t count, struct inodes *seen);

/* Whether, when it was last asked, there was more that nobody can look at: descriptors on their way in sockets, and
 * processes that hide, being of a program that nobody may read. */
bool held_unseen(void);

#endif
