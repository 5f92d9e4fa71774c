#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_room(struct text *text, size_t more) {
    if (text->failed || more <= text->capacity - text->length) return !text->failed;
    size_t wanted = text->capacity ? text->capacity * 2 : 512;
    while (wanted - text->length < more) wanted *= 2;
    char *larger = realloc(text->bytes, wanted);
    if (larger == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = larger;
    text->capacity = wanted;
    return true;
}

void text_append(struct text *text, const void *bytes, size_t length) {
    if (length == 0 || !text_room(text, length)) return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void say(struct text *text, const char *key, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text_append(text, key, strlen(key));
    text_append(text, "=", 1);
    if (length >= 0 && text_room(text, (size_t)length + 1)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length + 1;
    }
    va_end(again);
}

void text_free(struct text *text) {
    free(text->bytes);
    *text = (struct text){0};
}
