#ifndef HUSK_FAMILY_H
#define HUSK_FAMILY_H

#include <sys/types.h>

/* A family is a user and a process namespace with nothing in it but sandboxes whose kernels are copies of each other.
 *
 * A process may move only into process namespaces below its own, and only where it has rights. So what copies a kernel
 * from one sandbox into another must stand above both of them and yet be shut in: it stands in the family. */

/* Makes one: its first process, which ends when nobody else is left in it. */
pid_t family_make(uid_t identity);

/* Enters one; the children of the caller are born in it. */
void family_enter(pid_t family);

/* Runs PROGRAM in the family that was entered, and ends as it does. What bubblewrap says to the descriptor `info` is
 * told there with the numbers of the host. */
_Noreturn void family_run(pid_t family, char **program, int info);

#endif
