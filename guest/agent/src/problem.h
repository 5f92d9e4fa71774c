/* What is said when an operation fails, and plain blocking sending for the processes that may wait. */
#ifndef HUSK_PROBLEM_H
#define HUSK_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "outbox.h"
#include "text.h"

/* The stable code for an errno of the file system. */
const char *code_of(int error);

/* The fields of a problem; error 0 means that no errno is involved. */
void describe_problem(struct text *text, const char *code, int error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sends and waits until it is gone; false when the peer left. */
bool send_frame(int descriptor, char kind, const void *payload, size_t length);
bool send_answer(int descriptor, struct text *fields);

/* The last frame of an operation that failed. Always false, so that it can be returned. */
bool send_problem(int descriptor, const char *code, int error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A problem of the file system, about this path. */
bool send_file_problem(int descriptor, int error, const char *doing, const char *path);

#endif
