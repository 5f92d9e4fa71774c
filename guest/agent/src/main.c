/* One program, four roles. Start reading at launch.c (on the host), serve.c (inside), noexec.c or seccomp.c. */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "launch.h"
#include "noexec.h"
#include "seccomp.h"
#include "serve.h"

int main(int count, char **arguments) {
    if (count >= 2 && strcmp(arguments[1], "launch") == 0) launch(arguments + 2);
    if (count >= 2 && strcmp(arguments[1], "serve") == 0) serve(arguments + 2);
    if (count >= 3 && strcmp(arguments[1], "noexec") == 0) noexec(arguments + 2);
    if (count == 2 && strcmp(arguments[1], "seccomp") == 0) return seccomp_print(false);
    if (count == 3 && strcmp(arguments[1], "seccomp") == 0 && strcmp(arguments[2], "porter") == 0)
        return seccomp_print(true);
    errno = 0;
    fail("usage: husk-agent launch [options] -- PROGRAM ARGS… | serve [options] | noexec PID FOLDERS… | seccomp [porter]");
}
