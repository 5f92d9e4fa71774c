/* The operation `run`, in a handler process of its own. */
#ifndef HUSK_RUN_H
#define HUSK_RUN_H

#include "fields.h"
#include "table.h"

/* NULL, or what is wrong with the request. Looked at before anything is made. */
const char *run_refusal(const struct fields *request);

/* Never returns; the exit status tells nothing. */
_Noreturn void run(int client, const struct fields *request, struct record *record, int control);

#endif
