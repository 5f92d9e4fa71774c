/* Signals to whole trees of processes. */
#ifndef HUSK_TREE_H
#define HUSK_TREE_H

#include <stdbool.h>
#include <sys/types.h>

/* Whoever is asked to end hears it also when stopped. */
int signal_one(pid_t pid, int signal);

/* Every descendant of this process, once. Says how many were found. */
int signal_tree(pid_t ancestor, int signal);

/* One pass of killing: all are stopped before any is killed, so that none can make another meanwhile. */
int kill_tree_once(pid_t ancestor);

/* One pass over every process of the sandbox but those that `spare` names. Below this process only, unless it is the
   first of its namespace. */
int kill_others_once(bool (*spare)(pid_t));

#endif
