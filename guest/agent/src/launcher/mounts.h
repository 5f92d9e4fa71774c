/* Mounts as descriptors: made detached from everything, then attached where nobody else sees them. */
#ifndef HUSK_MOUNTS_H
#define HUSK_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A detached clone of what is at the path, with all below it; a descriptor, or -1. */
int clone_tree(const char *path);

/* A detached file system of this kind, its options as NULL-terminated pairs; a descriptor, or -1. */
int new_mount(const char *kind, const char *const *options, uint64_t attributes);

/* Adds attributes (MOUNT_ATTR_…) to a mount and all below it, or to it alone. */
bool restrict_tree(int tree, uint64_t attributes);
bool restrict_mount(int tree, uint64_t attributes);

/* A user namespace in which 0 is this user; a descriptor, or -1. */
int idmap_namespace(uid_t identity);

/* In a detached clone, the files of root belong to whom the namespace says. */
bool idmap_tree(int tree, int user_namespace);

/* Attaches a detached mount to a place that exists. */
bool attach_tree(int tree, int place);

/* Makes `folder`, a mount, the root of this process's mount namespace, and lets go of everything that was there. */
void become_root(const char *folder);

#endif
