/* Clones of mounts in which the files of root belong to somebody else. */
#ifndef HUSK_IDMAP_H
#define HUSK_IDMAP_H

#include <stdbool.h>
#include <sys/types.h>

/* A user namespace in which 0 is this user; a descriptor, or -1. */
int idmap_namespace(uid_t identity);

/* A detached clone of what is at the path, with all below it; a descriptor, or -1. */
int clone_tree(const char *path);

/* Maps the owners of a detached clone. */
bool idmap_tree(int tree, int user_namespace);

/* Attaches a clone to a place that exists. */
bool attach_tree(int tree, const char *place);

#endif
