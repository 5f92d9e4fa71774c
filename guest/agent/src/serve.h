#ifndef HUSK_SERVE_H
#define HUSK_SERVE_H

/* The role `husk-agent serve`: the first process of a sandbox. Returns only by exit. */
_Noreturn void serve(char **arguments);

#endif
