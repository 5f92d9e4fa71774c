/* A growing text, and fields written into it. Running out of memory is remembered, not fatal. */
#ifndef HUSK_TEXT_H
#define HUSK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
};

void text_append(struct text *text, const void *bytes, size_t length);

/* One field, terminated. */
void say(struct text *text, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void text_free(struct text *text);

#endif
