/* Fields: zero or more NUL-terminated `key=value` strings, keys of a-z and _, repeated keys in their order. */
#ifndef HUSK_FIELDS_H
#define HUSK_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct fields {
    const char *bytes;
    size_t length;
};

bool fields_valid(const char *bytes, size_t length);

/* The first value of this key, or NULL. */
const char *fields_get(const struct fields *fields, const char *key);

/* The value of this key that follows `previous`; the first one for NULL. */
const char *fields_next(const struct fields *fields, const char *key, const char *previous);
size_t fields_count(const struct fields *fields, const char *key);

enum number { NUMBER_ABSENT, NUMBER_GOOD, NUMBER_BAD };

/* A decimal number within these borders. `value` is written only when it is good. */
enum number fields_number(const struct fields *fields, const char *key, long long least, long long most,
                          long long *value);

/* 0 or 1; -1 for anything else. */
int fields_flag(const struct fields *fields, const char *key, int otherwise);

/* Reads digits of this base and nothing else. */
bool parse_number(const char *text, int base, long long least, long long most, long long *value);

#endif
