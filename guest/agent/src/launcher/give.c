#include "give.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* One descriptor for each level is held open. What lies deeper was made inside, and has its owner. */
enum { OWN_MAX = 16, DEEPEST = 400 };

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

static bool give_below(int folder, int depth);

static bool give_entry(int folder, const char *name, int depth) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return true;
    if (fchownat(folder, name, owner, owner, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
    int inner = depth < DEEPEST ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    return inner < 0 || give_below(inner, depth + 1);
}

/* Takes ownership of the descriptor, and not of a path: whoever exchanges a folder for a link leads nobody anywhere. */
static bool give_below(int folder, int depth) {
    DIR *entries = fdopendir(folder);
    bool given = entries != NULL;
    for (struct dirent *entry; given && (entry = readdir(entries)) != NULL;)
        given = give_entry(folder, entry->d_name, depth);
    if (entries != NULL) closedir(entries);
    else close(folder);
    return given;
}

bool give(const char *path, uid_t identity) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    owner = identity;
    if (folder < 0) return false;
    if (fchown(folder, owner, owner) == 0) return give_below(folder, 0);
    close(folder);
    return false;
}
