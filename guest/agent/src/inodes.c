#include "inodes.h"

#include <stdlib.h>

static size_t slot_of(const struct inodes *set, uint64_t number) {
    size_t at = (number * 0x9E3779B97F4A7C15u) >> 20 & (set->capacity - 1);
    while (set->slots[at] != 0 && set->slots[at] != number) at = (at + 1) & (set->capacity - 1);
    return at;
}

static bool grow(struct inodes *set) {
    struct inodes larger = {calloc(set->capacity ? 2 * set->capacity : 64, sizeof(uint64_t)), set->count,
                            set->capacity ? 2 * set->capacity : 64};
    if (larger.slots == NULL) return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i] != 0) larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
    free(set->slots);
    *set = larger;
    return true;
}

bool inodes_add(struct inodes *set, ino_t number) {
    if (2 * (set->count + 1) > set->capacity && !grow(set)) return true;
    size_t at = slot_of(set, number);
    if (set->slots[at] != 0) return false;
    set->slots[at] = number;
    set->count++;
    return true;
}

bool inodes_has(const struct inodes *set, ino_t number) {
    return set->capacity > 0 && set->slots[slot_of(set, number)] != 0;
}

void inodes_clear(struct inodes *set) {
    free(set->slots);
    *set = (struct inodes){0};
}
