/* Folders that are a sandbox's own: where owners cannot be mapped, they are really given to it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Keeps the pointer. False when there are too many. */
bool give_remember(const char *path);

/* Whether it was remembered. */
bool give_may(const char *path);

/* Changes the owner of everything in it; links are changed, never followed. */
bool give(const char *path, uid_t identity);
