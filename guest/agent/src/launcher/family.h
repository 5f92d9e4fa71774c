#ifndef HUSK_FAMILY_H
#define HUSK_FAMILY_H

#include <sys/types.h>

/* A family is a user and a process namespace with nothing in it but sandboxes whose kernels are copies of each other,
 * and the porters of those kernels.
 *
 * A process may move only into process namespaces below its own, and only where it has rights. So what copies a kernel
 * from one sandbox into another must stand above both of them and yet be shut in. It shares memory with the kernel, and
 * so belongs to whatever code runs there: where it stands there is nothing. No file but an empty folder, no network, no
 * process but the family's, and the namespaces of all this belong to somebody outside. */

/* Who everybody is in a family, and in its sandboxes. */
enum { FAMILY_USER = 1000 };

/* Makes one, whose processes the host knows as this user; gives its first process. */
pid_t family_make(uid_t identity);

/* As long as somebody holds on to it, a family lives; with the last one all of its processes end. Give its number. */
void family_hold(pid_t family);

/* A user namespace for a sandbox of this family, as a descriptor. Its maker is never seen in the family. */
int family_users(pid_t family);

/* Of a process that was born in a family: becomes one of it. */
void family_join(void);

#endif
