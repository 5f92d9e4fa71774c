/* Bubblewrap's options, as far as needed to walk through them without mistaking a value for an option. */
#ifndef HUSK_BWRAP_OPTIONS_H
#define HUSK_BWRAP_OPTIONS_H

/* How many values follow this option; -1 if it is not known. */
int bwrap_values(const char *option);

enum bind { BIND_NOT, BIND_WRITABLE, BIND_READ_ONLY };

/* Whether the option makes a source visible; `optional` tells the -try forms. */
enum bind bwrap_bind(const char *option, int *optional);

#endif
