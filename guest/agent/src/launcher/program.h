#ifndef HUSK_PROGRAM_H
#define HUSK_PROGRAM_H

/* The role `husk-agent program FILE ARGV0 ARGS…`: becomes FILE, as a process whose program cannot be written by way of it.
 *
 * Whoever is forked from a process has its program under /proc/self/exe, and with it the mount it was opened by: in a
 * sandbox that sees the file read-only, or not at all, it could still be opened there for writing by its owner. So it is
 * opened by a mount that is read-only. */
_Noreturn void program(char **arguments);

#endif
