#include "measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "agent.h"
#include "clock.h"
#include "held.h"
#include "inodes.h"
#include "settings.h"

/* One descriptor for each level is held open, so that nobody can lead the walk astray by renaming. */
enum { DEEPEST = 200 };

static struct inodes seen;

static int64_t walk(int directory, int depth);

static int64_t count_once(const struct stat *found) {
    if (found->st_nlink != 1 && !S_ISDIR(found->st_mode) && !inodes_add(&seen, found->st_ino)) return 0;
    return (int64_t)found->st_blocks * 512 + INODE_BYTES;
}

/* A directory that its owner has closed is opened for the moment of measuring; hiding files in it would be too easy. */
static int64_t walk_into(int parent, const char *name, mode_t mode, int depth) {
    bool closed = (mode & 0500) != 0500 && fchmodat(parent, name, (mode & 07777) | 0500, 0) == 0;
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int64_t bytes = directory < 0 ? 0 : walk(directory, depth);
    if (closed) fchmodat(parent, name, mode & 07777, 0);
    return bytes;
}

/* Takes ownership of the descriptor. */
static int64_t walk(int directory, int depth) {
    DIR *entries = fdopendir(directory);
    int64_t bytes = 0;
    if (entries == NULL) {
        close(directory);
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        struct stat found;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (fstatat(directory, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
        bytes += count_once(&found);
        if (!S_ISDIR(found.st_mode)) continue;
        /* No honest tree is as deep as this; one that cannot be measured counts as too large. */
        bytes += depth >= DEEPEST ? settings.workspace_limit + 1
                                  : walk_into(directory, entry->d_name, found.st_mode, depth + 1);
    }
    closedir(entries);
    return bytes;
}

int64_t measure_directories(const char *const *paths, size_t count) {
    dev_t devices[WORKSPACES_MAX];
    size_t known = 0;
    int64_t bytes = 0;
    for (size_t i = 0; i < count && i < WORKSPACES_MAX; i++) {
        struct stat found;
        int directory = open(paths[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0 || fstat(directory, &found) != 0) continue;
        bytes += walk(directory, 0);
        size_t same = 0;
        while (same < known && devices[same] != found.st_dev) same++;
        if (same == known) devices[known++] = found.st_dev;
    }
    if (known > 0) bytes += held_bytes(devices, known, &seen);
    inodes_clear(&seen);
    return bytes;
}

bool workspace_is_full(void) {
    return agent.measured != NULL && settings.workspace_limit > 0 && agent.measured->bytes > settings.workspace_limit;
}

/* What is taken of their file systems, by whomever: asked in no time, however many files there are. */
static int64_t taken_bytes(void) {
    int64_t bytes = 0;
    for (size_t i = 0; i < settings.workspaces_count; i++) {
        struct statvfs found;
        if (statvfs(settings.workspaces[i], &found) == 0)
            bytes += (int64_t)(found.f_blocks - found.f_bfree) * (int64_t)found.f_frsize;
    }
    return bytes;
}

/* So long that looking costs little; but much shorter once the limit may have been passed. Who has very many files would
 * otherwise have very much time to write. */
static void pause_until_grown(int64_t took, int64_t taken, int64_t bytes) {
    enum { LOOK_MS = 250, PART = 16, USUALLY = 20, AT_LEAST = 2 };
    int64_t least = settings.workspace_limit / PART, room = settings.workspace_limit - bytes;
    int64_t begun = now_ms(), enough = room > least ? room : least;
    do pause_ms(LOOK_MS);
    while (now_ms() < begun + AT_LEAST * took || (now_ms() < begun + USUALLY * took && taken_bytes() - taken <= enough));
}

/* While there may be files that we cannot see, they count as what their file system has lost since there were none, and
 * what we see does not explain. */
static int64_t unseen_bytes(int64_t taken, int64_t bytes) {
    static int64_t explained = -1;
    if (explained < 0 || !held_unseen()) explained = taken - bytes;
    return taken - bytes > explained ? taken - bytes - explained : 0;
}

_Noreturn void measure_work(struct measured *measured, int alarm) {
    int64_t told = 0;
    for (;;) {
        int64_t begun = now_ms(), taken = taken_bytes();
        int64_t bytes = measure_directories(settings.workspaces, settings.workspaces_count);
        bytes += unseen_bytes(taken, bytes);
        int64_t took = now_ms() - begun;
        measured->bytes = bytes;
        bool over = settings.workspace_limit > 0 && bytes > settings.workspace_limit;
        if (over && bytes > told && write(alarm, "!", 1) == 1) told = bytes;
        if (!over) told = 0;
        pause_until_grown(took, taken, bytes);
    }
}
