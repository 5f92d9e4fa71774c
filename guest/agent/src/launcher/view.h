/* What a sandbox sees, as steps that are taken one after the other: the outer before the inner. */
#ifndef HUSK_VIEW_H
#define HUSK_VIEW_H

#include <stdbool.h>
#include <sys/types.h>

/* The number of values that the launcher's option has if it is a step of a view; 0 if it is none. */
int view_values(const char *option);

/* Keeps the pointers. */
void view_add(const char *option, char **values);

/* Takes hold of everything of the host that is to be seen, before any of it is covered. With an identity, the files of
 * root belong to it there; -1 for none. */
void view_take(long long identity);

/* Puts everything in its place, below `view` in the folder `stage`. */
void view_build(int stage);

#endif
