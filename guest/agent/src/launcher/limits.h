/* Limits that the program to come inherits. */
#ifndef HUSK_LIMITS_H
#define HUSK_LIMITS_H

/* NAME=VALUE; a hard limit that is lower already stays. Ends the program when it cannot be set. */
void set_limit(const char *setting);

/* A list like 0-1,3. */
void set_cpus(const char *list);

/* Moves this process into a control group. */
void enter_cgroup(const char *directory);

#endif
