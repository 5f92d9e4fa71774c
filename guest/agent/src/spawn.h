/* Starts one program: environment, directory, descriptors, its own session. Never a shell. */
#ifndef HUSK_SPAWN_H
#define HUSK_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawn {
    char *const *arguments;
    char *const *environment;
    const char *cwd;
    int input, output, errors; /* to become 0, 1 and 2 */
    bool terminal;             /* input is a terminal, to be the controlling one */
    pid_t *announced;          /* where the new process writes its number before it can do anything; may be NULL */
};

enum stage_failed { SPAWN_FORK, SPAWN_DIRECTORY, SPAWN_EXEC };

struct spawn_failure {
    enum stage_failed stage;
    int error;
};

/* The new process, or -1 with the reason. Closes none of the descriptors given. */
pid_t spawn(const struct spawn *what, struct spawn_failure *failure);

/* Joins the base environment with the `env` fields of a request; a later value of a name wins. NULL: no memory. */
struct fields;
char **environment_of(const struct fields *request);

#endif
