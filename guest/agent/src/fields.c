#include "fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t key_length(const char *string) { return strspn(string, "abcdefghijklmnopqrstuvwxyz_"); }

bool fields_valid(const char *bytes, size_t length) {
    if (length > 0 && bytes[length - 1] != '\0') return false;
    for (size_t at = 0; at < length; at += strlen(bytes + at) + 1) {
        size_t key = key_length(bytes + at);
        if (key == 0 || bytes[at + key] != '=') return false;
    }
    return true;
}

const char *fields_next(const struct fields *fields, const char *key, const char *previous) {
    size_t wanted = strlen(key);
    size_t at = previous == NULL ? 0 : (size_t)(previous - fields->bytes) + strlen(previous) + 1;
    for (; at < fields->length; at += strlen(fields->bytes + at) + 1) {
        const char *here = fields->bytes + at;
        if (strncmp(here, key, wanted) == 0 && here[wanted] == '=') return here + wanted + 1;
    }
    return NULL;
}

const char *fields_get(const struct fields *fields, const char *key) { return fields_next(fields, key, NULL); }

size_t fields_count(const struct fields *fields, const char *key) {
    size_t count = 0;
    for (const char *at = NULL; (at = fields_next(fields, key, at)) != NULL;) count++;
    return count;
}

bool parse_number(const char *text, int base, long long least, long long most, long long *value) {
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text)) return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, base);
    if (errno != 0 || *end != '\0' || number < least || number > most) return false;
    *value = number;
    return true;
}

enum number fields_number(const struct fields *fields, const char *key, long long least, long long most,
                          long long *value) {
    const char *text = fields_get(fields, key);
    if (text == NULL) return NUMBER_ABSENT;
    return parse_number(text, 10, least, most, value) ? NUMBER_GOOD : NUMBER_BAD;
}

int fields_flag(const struct fields *fields, const char *key, int otherwise) {
    long long value = otherwise;
    return fields_number(fields, key, 0, 1, &value) == NUMBER_BAD ? -1 : (int)value;
}
