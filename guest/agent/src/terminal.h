/* Pseudo-terminals. */
#ifndef HUSK_TERMINAL_H
#define HUSK_TERMINAL_H

#include <stdbool.h>

/* Both ends, of this size; false with errno. */
bool terminal_open(int *master, int *slave, long long rows, long long columns);
void terminal_resize(int master, long long rows, long long columns);

#endif
