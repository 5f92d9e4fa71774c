/* What the first process gives up before it listens to anybody. */
#ifndef HUSK_HARDEN_H
#define HUSK_HARDEN_H

#include <stdbool.h>

/* No core files, nothing of this process readable through /proc by commands of the same user. */
const char *hide_memory(void);

/* No new privileges and no capabilities, for good. NULL, or what failed (with errno). */
const char *give_up_privileges(void);

#endif
