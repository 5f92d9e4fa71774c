#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void fail(const char *format, ...) {
    int error = errno;
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, error == 0 ? "husk-agent: %s\n" : "husk-agent: %s: %s\n", line, strerror(error));
    _exit(125);
}
