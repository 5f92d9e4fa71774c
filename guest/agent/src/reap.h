/* How processes end, as the first process sees it, and the two helpers that it starts again when they do. */
#ifndef HUSK_REAP_H
#define HUSK_REAP_H

#include <stdint.h>

struct command;

void reap_all(void);

/* Takes the streams that a command's handler hands over. */
void take_streams(struct command *command);

/* The bridge's ports and the memory for measuring. */
void helpers_prepare(void);

/* Starts the bridge and the one that measures, where wanted and not running. */
void helpers_start(void);

/* When to try again; 0: nothing to do. */
int64_t helpers_next(void);

/* Where an alarm about the workspace arrives; -1: nowhere. */
int helpers_alarm(void);

/* Kills everything that is not the agent's own. */
void disk_is_full(void);

#endif
