#ifndef HUSK_FAIL_H
#define HUSK_FAIL_H

/* One line on standard error, then exit 125: Husk's own failures, never a command's. Adds errno unless it is 0. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
