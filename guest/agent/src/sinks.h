/* Streams that nobody wants any more but that leftovers of commands still write to: they are read and forgotten. */
#ifndef HUSK_SINKS_H
#define HUSK_SINKS_H

#include <stddef.h>

enum { SINKS_MAX = 256 };

extern int sinks[SINKS_MAX];
extern size_t sinks_count;

/* The oldest one gives way when there are too many. */
void sink_add(int descriptor);

/* Reads once; closes it at its end. */
void sink_read(size_t index);

#endif
