/* The commands of this sandbox: those that run and the newest of those that ended. Owned by the first process. */
#ifndef HUSK_TABLE_H
#define HUSK_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "counters.h"
#include "fields.h"
#include "ring.h"
#include "text.h"

enum { ID_MAX = 32, REMEMBERED = 64, LOG_DEFAULT = 1048576, LOG_MOST = 16777216 };
enum reason { EXITED, SIGNALLED, TIMEOUT, KILLED, DISK_LIMIT, OUT_OF_MEMORY, PROCESS_LIMIT };

/* Shared with the handler, which writes all of it but `doom` and `asked_signal`. */
struct record {
    char id[ID_MAX + 1];
    bool detached, ended;
    pid_t leader;
    int doom;         /* why the agent killed it (a reason), or 0 */
    int asked_signal; /* the last one asked for by `kill` */
    int code, signal; /* -1: the other one counts */
    enum reason reason;
    struct counters before; /* when it started */
    int64_t started_ms, ended_ms, wall_ms, user_ms, system_ms, max_rss_kb;
    struct ring logs[2];
};

struct command {
    struct record *record;
    size_t mapped;
    pid_t handler; /* 0 once it has ended */
    int control;   /* to the handler, or -1 */
    char *arguments;
    size_t arguments_length;
    struct command *next; /* older ones */
};

/* The newest first. */
extern struct command *commands;

bool id_is_good(const char *id);
struct command *table_find(const char *id);
struct command *table_find_handler(pid_t handler);

/* A new entry with its logs; NULL when there is no memory. An id is made up for NULL. */
struct command *table_add(const char *id, bool detached, size_t log_limit, const struct fields *request);
void table_remove(struct command *command);

/* To be called when one has ended: forgets what is too old. */
void table_prune(void);

const char *reason_name(enum reason reason);

/* Why it ended, once its code or signal is known. */
enum reason reason_of(const struct record *record);

/* The fields that say how a command ended. */
void say_end(struct text *text, const struct record *record);

#endif
