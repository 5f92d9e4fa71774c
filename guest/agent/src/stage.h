/* Staging: lets bubblewrap run as an unprivileged identity over files that only root may reach. */
#ifndef HUSK_STAGE_H
#define HUSK_STAGE_H

#include <sys/types.h>

/* Rewrites the sources of binds among bubblewrap's arguments, in place, and makes them reachable in a mount namespace of
   our own. Drops optional binds that have no source. Ends the program with the reason when it cannot be done. */
void stage(char **arguments, uid_t identity);

/* The directory as a descriptor in which root's files belong to the identity. */
int stage_directory(const char *path, uid_t identity);

/* Before `become`, and before a user namespace is entered where nobody may. */
void leave_groups(void);

/* Becomes the identity, with no group but its own. */
void become(uid_t identity);

#endif
