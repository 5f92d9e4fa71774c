/* The stage: a root in which bubblewrap finds what one sandbox may see, and nothing else of the host.
 *
 * It is built from outside the family, so that nobody in it, with whatever rights there, can uncover or change what it
 * shows: what is read-only here, or covered, cannot be made otherwise from below. */
#ifndef HUSK_STAGE_H
#define HUSK_STAGE_H

#include <sys/types.h>

/* Where mounts are attached that are to become a root. Nobody needs the real one. */
#define STAGE "/sys"

/* On the stage: what the sandbox will see, and bubblewrap. */
#define STAGED_VIEW "/view"
#define STAGED_PROGRAM "/program"

/* A mount namespace of this process's own. */
void own_mounts(void);

/* Builds it around `program` in mounts of one's own, and goes there. The namespaces of the family, but for that of users, are joined on the way:
 * children of the caller are born in the family. Ends the program with the reason when it cannot be done. */
void stage(const char *program, pid_t family, long long identity);

#endif
