/* What `serve` was told to do. */
#ifndef HUSK_SETTINGS_H
#define HUSK_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "descriptors.h"

enum { ENVIRONMENT_MAX = 1024, VARIABLES_SIZE_MAX = 4194304, WORKSPACES_MAX = 8 };

struct settings {
    bool seccomp, host, fixed_processors;
    long long http_port, socks_port; /* 0: no bridge */
    long long temporary_ms;          /* 0: for ever */
    const char *cwd;
    const char *workspaces[WORKSPACES_MAX]; /* measured together */
    size_t workspaces_count;
    long long workspace_limit;
    const char *environment[ENVIRONMENT_MAX + 1];
    size_t environment_count;
};

extern struct settings settings;

/* Ends the program when it does not understand. */
void settings_read(char **arguments);

#endif
