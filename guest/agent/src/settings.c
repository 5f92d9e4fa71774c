#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "fields.h"

struct settings settings = {.seccomp = true, .cwd = "/"};

static bool yes_or_no(const char *name, const char *value) {
    if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0) fail("serve: %s is yes or no, not %s", name, value);
    return strcmp(value, "yes") == 0;
}

static long long number(const char *name, const char *value, long long least, long long most) {
    long long result;
    if (!parse_number(value, 10, least, most, &result)) fail("serve: %s cannot be %s", name, value);
    return result;
}

static void add_environment(const char *value) {
    if (value[0] == '=' || strchr(value, '=') == NULL) fail("serve: --env takes K=V, not %s", value);
    if (settings.environment_count == ENVIRONMENT_MAX) fail("serve: more than %d variables", ENVIRONMENT_MAX);
    settings.environment[settings.environment_count++] = value;
}

static void add_workspace(const char *value) {
    if (settings.workspaces_count == WORKSPACES_MAX) fail("serve: more than %d workspaces", WORKSPACES_MAX);
    settings.workspaces[settings.workspaces_count++] = value;
}

/* What is given on a command line is read by everybody who lists processes; what is in a file is not. */
static void add_environment_from(long long descriptor) {
    struct stat found;
    if (fstat((int)descriptor, &found) != 0 || found.st_size > VARIABLES_SIZE_MAX) fail("serve: no variables to be read");
    char *text = calloc(1, (size_t)found.st_size + 1);
    if (text == NULL || pread((int)descriptor, text, (size_t)found.st_size, 0) != found.st_size)
        fail("serve: cannot read the variables");
    for (char *at = text; at < text + found.st_size; at += strlen(at) + 1) add_environment(at);
    close((int)descriptor);
}

static void take(const char *name, const char *value) {
    if (value == NULL) fail("serve: %s lacks a value", name);
    if (strcmp(name, "--seccomp") == 0) settings.seccomp = yes_or_no(name, value);
    else if (strcmp(name, "--host") == 0) settings.host = yes_or_no(name, value);
    else if (strcmp(name, "--fixed-processors") == 0) settings.fixed_processors = yes_or_no(name, value);
    else if (strcmp(name, "--http-port") == 0) settings.http_port = number(name, value, 1, 65535);
    else if (strcmp(name, "--socks-port") == 0) settings.socks_port = number(name, value, 1, 65535);
    else if (strcmp(name, "--temporary") == 0) settings.temporary_ms = 1000 * number(name, value, 1, 1000000000);
    else if (strcmp(name, "--cwd") == 0) settings.cwd = value;
    else if (strcmp(name, "--workspace") == 0) add_workspace(value);
    else if (strcmp(name, "--workspace-limit") == 0) settings.workspace_limit = number(name, value, 0, INT64_MAX);
    else if (strcmp(name, "--env-fd") == 0) add_environment_from(number(name, value, 3, 1024));
    else if (strcmp(name, "--env") == 0) add_environment(value);
    else fail("serve: unknown option %s", name);
}

void settings_read(char **arguments) {
    errno = 0;
    for (; *arguments != NULL; arguments += 2) take(arguments[0], arguments[1]);
    if (fcntl(PROXY_DIRECTORY, F_GETFD) < 0 && (settings.http_port || settings.socks_port)) {
        errno = 0;
        fail("serve: ports for the proxy, but no directory of it as descriptor %d", PROXY_DIRECTORY);
    }
}
