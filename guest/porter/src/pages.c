#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "porter.h"

/* As Python declares them; its headers are not there to build against. */
struct allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void *(*allocate_cleared)(void *context, size_t count, size_t size);
    void *(*resize)(void *context, void *block, size_t size);
    void (*free)(void *context, void *block);
};
enum { RAW_DOMAIN = 0 };
extern void PyMem_GetAllocator(int domain, struct allocator *allocator) __attribute__((weak));
extern void PyMem_SetAllocator(int domain, const struct allocator *allocator) __attribute__((weak));

enum { BIG = 4 * 1024 * 1024, HUGE_PAGE = 2 * 1024 * 1024 };

static struct allocator plain;

/* Only whole huge pages within: what else is in the neighbourhood stays as it is. */
static void *advised(void *block, size_t size) {
    uintptr_t from = ((uintptr_t)block + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t to = ((uintptr_t)block + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (block != NULL && size >= BIG && from < to) madvise((void *)from, to - from, MADV_HUGEPAGE);
    return block;
}

static void *allocate(void *context, size_t size) { return advised(plain.allocate(context, size), size); }

static void *allocate_cleared(void *context, size_t count, size_t size) {
    return advised(plain.allocate_cleared(context, count, size), count * size);
}

static void *resize(void *context, void *block, size_t size) { return advised(plain.resize(context, block, size), size); }

void husk_ask_for_huge_pages(void) {
    if (PyMem_SetAllocator == NULL) return;
    PyMem_GetAllocator(RAW_DOMAIN, &plain);
    struct allocator ours = {plain.context, allocate, allocate_cleared, resize, plain.free};
    PyMem_SetAllocator(RAW_DOMAIN, &ours);
}
