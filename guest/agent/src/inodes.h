/* A set of files, by number. */
#ifndef HUSK_INODES_H
#define HUSK_INODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct inodes {
    uint64_t *slots; /* 0 is free */
    size_t count, capacity;
};

/* True if it was not there before. Without memory everything is new: rather too much than too little. */
bool inodes_add(struct inodes *set, ino_t number);
bool inodes_has(const struct inodes *set, ino_t number);
void inodes_clear(struct inodes *set);

#endif
