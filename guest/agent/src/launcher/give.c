#include "give.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN_MAX = 16, OPEN_AT_ONCE = 32 };

static const char *own[OWN_MAX];
static int count;
static uid_t owner;

bool give_remember(const char *path) {
    if (count == OWN_MAX) return false;
    own[count++] = path;
    return true;
}

bool give_may(const char *path) {
    for (int i = 0; i < count; i++)
        if (strcmp(own[i], path) == 0) return true;
    return false;
}

static int give_one(const char *path, const struct stat *found, int kind, struct FTW *at) {
    (void)found, (void)kind, (void)at;
    return lchown(path, owner, owner);
}

bool give(const char *path, uid_t identity) {
    owner = identity;
    return nftw(path, give_one, OPEN_AT_ONCE, FTW_PHYS) == 0;
}
