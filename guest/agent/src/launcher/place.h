/* Places in a view: found, or made, without ever leaving it, whatever links there are on the way. */
#ifndef HUSK_PLACE_H
#define HUSK_PLACE_H

#include <stdbool.h>

/* Paths begin at this folder from now on. What is made belongs to the owner, unless it is -1. */
void place_below(int folder, const char *name, long long owner);
void place_done(void);

/* A descriptor of what is at the path; made, as a folder or a file, if it is not there. */
int place_for(const char *path, bool directory);

/* A link at this path. */
void place_link(const char *path, const char *target);

/* What was mounted at this path is the owner's. */
void place_given(const char *path);

#endif
