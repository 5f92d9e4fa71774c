/* One program, four roles. Start reading at launcher/launch.c (on the host), serve.c (inside), seccomp.c or program.c. */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "harden.h"
#include "launcher/launch.h"
#include "launcher/program.h"
#include "seccomp.h"
#include "serve.h"

int main(int count, char **arguments) {
    if (count >= 2 && strcmp(arguments[1], "launch") == 0) launch(arguments);
    if (count >= 2 && strcmp(arguments[1], "serve") == 0) {
        hide_memory(); /* at once: until then relatives can look */
        serve(arguments + 2);
    }
    if (count >= 2 && strcmp(arguments[1], "program") == 0) program(arguments + 2);
    if (count == 3 && strcmp(arguments[1], "seccomp") == 0) return seccomp_print(arguments[2]);
    errno = 0;
    fail("usage: husk-agent launch [options] -- PROGRAM ARGS… | serve [options] | seccomp inside|fixed-processors|porter|porter-fixed-processors | program FILE ARGV0 ARGS…");
}
