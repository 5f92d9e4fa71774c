#include "held.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "settings.h"
#include "workers.h"

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000U
#endif

enum { MOUNTS_MAX = 1024 };

/* Nobody inside can mount, so what is not among these was opened elsewhere. */
static struct {
    unsigned long long ids[MOUNTS_MAX];
    size_t count;
} mounts;

static void read_mounts(void) {
    FILE *list = fopen("/proc/self/mountinfo", "re");
    mounts.count = 0;
    if (list == NULL) return;
    for (bool begins = true; mounts.count < MOUNTS_MAX && !feof(list);) {
        if (begins && fscanf(list, "%llu", &mounts.ids[mounts.count]) == 1) mounts.count++;
        begins = fgetc(list) == '\n';
    }
    fclose(list);
}

static bool is_outside(const struct statx *found) {
    if (!(found->stx_mask & STATX_MNT_ID) || mounts.count == 0 || mounts.count == MOUNTS_MAX) return false;
    for (size_t i = 0; i < mounts.count; i++)
        if (mounts.ids[i] == found->stx_mnt_id) return false;
    return true;
}

/* The link in /proc says by its own mode how the file was opened. */
static bool is_writable(int directory, const char *name) {
    struct stat link;
    return fstatat(directory, name, &link, AT_SYMLINK_NOFOLLOW) == 0 && (link.st_mode & S_IWUSR);
}

static bool is_on(const struct statx *found, const dev_t *devices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (devices[i] == makedev(found->stx_dev_major, found->stx_dev_minor)) return true;
    return false;
}

enum { BASE_MAX = 64 };

static bool has_files(const char *base) {
    char path[BASE_MAX + 8];
    bool any = false;
    snprintf(path, sizeof path, "%s/fd", base);
    DIR *entries = opendir(path);
    if (entries == NULL) return false;
    for (struct dirent *entry; !any && (entry = readdir(entries)) != NULL;) any = isdigit((unsigned char)entry->d_name[0]);
    closedir(entries);
    return any;
}

/* Where a process's files and memory are told of: at its first thread, or, when that has ended, at another. All threads
 * of a process have the same; the filter sees to that. */
static void find_base(const char *pid, char base[BASE_MAX]) {
    char path[BASE_MAX];
    snprintf(base, BASE_MAX, "/proc/%.20s", pid);
    if (has_files(base)) return;
    snprintf(path, sizeof path, "/proc/%.20s/task", pid);
    DIR *threads = opendir(path);
    if (threads == NULL) return;
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        snprintf(path, sizeof path, "/proc/%.20s/task/%.20s", pid, entry->d_name);
        if (!has_files(path)) continue;
        memcpy(base, path, BASE_MAX);
        break;
    }
    closedir(threads);
}

static bool unseen;

bool held_unseen(void) {
    return unseen;
}

/* The agent's own do, and hold nothing. */
static bool hides(pid_t pid) {
    return !settings.host && pid != 1 && pid != getpid() && !worker_is(pid);
}

static void look_into_socket(const char *base, const char *name) {
    char path[BASE_MAX + 32], line[128];
    unsigned count;
    snprintf(path, sizeof path, "%s/fdinfo/%.20s", base, name);
    FILE *info = fopen(path, "re");
    if (info == NULL) return;
    while (fgets(line, sizeof line, info) != NULL)
        if (sscanf(line, "scm_fds: %u", &count) == 1 && count > 0) unseen = true;
    fclose(info);
}

static int64_t opened_by(const char *pid, const dev_t *devices, size_t count, struct inodes *seen) {
    char base[BASE_MAX], path[BASE_MAX + 8];
    int64_t bytes = 0;
    find_base(pid, base);
    snprintf(path, sizeof path, "%s/fd", base);
    DIR *entries = opendir(path);
    if (entries == NULL && errno == EACCES && hides(atoi(pid))) unseen = true;
    if (entries == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        struct statx found;
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        if (statx(dirfd(entries), entry->d_name, 0, STATX_BASIC_STATS | STATX_MNT_ID, &found) != 0) continue;
        if (S_ISSOCK(found.stx_mode)) look_into_socket(base, entry->d_name);
        if (!S_ISREG(found.stx_mode)) continue;
        bool counts = found.stx_nlink == 0 ? is_on(&found, devices, count)
                                           : is_outside(&found) && is_writable(dirfd(entries), entry->d_name);
        if (counts && inodes_add(seen, found.stx_ino)) bytes += (int64_t)found.stx_blocks * 512 + INODE_BYTES;
    }
    closedir(entries);
    return bytes;
}

/* Of a long line the end counts, too: it says whether the file is gone. */
static bool next_line(FILE *list, char line[512]) {
    if (fgets(line, 512, list) == NULL) return false;
    size_t length = strlen(line);
    for (int c; line[length - 1] != '\n' && (c = fgetc(list)) != EOF; line[length - 1] = (char)c)
        memmove(line + length - 16, line + length - 15, 15);
    return true;
}

/* Files that were deleted, and that nobody has open: how large they are cannot be asked, only how much of them is mapped.
 * The same part is counted once, whoever has it. */
static int64_t mapped_by(const char *pid, const dev_t *devices, size_t count, const struct inodes *seen, struct inodes *parts) {
    char base[BASE_MAX], path[BASE_MAX + 8], line[512];
    int64_t bytes = 0;
    find_base(pid, base);
    snprintf(path, sizeof path, "%s/maps", base);
    FILE *list = fopen(path, "re");
    if (list == NULL) return 0;
    while (next_line(list, line)) {
        unsigned long long from, to, offset, inode;
        struct statx found = {0};
        if (strstr(line, " (deleted)\n") == NULL ||
            sscanf(line, "%llx-%llx %*4s %llx %x:%x %llu", &from, &to, &offset, &found.stx_dev_major, &found.stx_dev_minor,
                   &inode) != 6) continue;
        if (!is_on(&found, devices, count) || inodes_has(seen, inode)) continue;
        if (inodes_add(parts, (inode * 0x9E3779B97F4A7C15u + offset) * 31 + (to - from))) bytes += (int64_t)(to - from);
    }
    fclose(list);
    return bytes;
}

int64_t held_bytes(const dev_t *devices, size_t count, struct inodes *seen) {
    struct inodes parts = {0};
    int64_t bytes = 0;
    DIR *entries = opendir("/proc");
    if (entries == NULL) return 0;
    read_mounts();
    unseen = false;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0])) bytes += opened_by(entry->d_name, devices, count, seen);
    rewinddir(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0])) bytes += mapped_by(entry->d_name, devices, count, seen, &parts);
    inodes_clear(&parts);
    closedir(entries);
    return bytes;
}
