#include "devices.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fail.h"
#include "mounts.h"
#include "place.h"

/* The machine has 4096 for all. */
#define TERMINALS_MAX "128"

static void attach(int tree, const char *path, bool directory) {
    int place = place_for(path, directory);
    if (tree < 0 || !attach_tree(tree, place)) fail("cannot make %s", path);
    close(place);
    close(tree);
}

static void add_device(const char *folder, const char *name) {
    char source[64], path[4096];
    snprintf(source, sizeof source, "/dev/%s", name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int device = clone_tree(source);
    if (device < 0 || !restrict_tree(device, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)) fail("cannot take %s", source);
    attach(device, path, false);
}

static void add_link(const char *folder, const char *name, const char *target) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    place_link(path, target);
}

void devices_build(const char *path) {
    static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
    static const char *const links[][2] = {{"fd", "/proc/self/fd"},         {"stdin", "/proc/self/fd/0"},
                                           {"stdout", "/proc/self/fd/1"},   {"stderr", "/proc/self/fd/2"},
                                           {"core", "/proc/kcore"},         {"ptmx", "pts/ptmx"}};
    char inner[4096];
    const char *memory[] = {"mode", "0755", "size", "65536", NULL};
    attach(new_mount("tmpfs", memory, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), path, true);
    place_given(path);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) add_device(path, devices[i]);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) add_link(path, links[i][0], links[i][1]);
    const char *options[] = {"mode", "620", "ptmxmode", "666", "max", TERMINALS_MAX, NULL};
    snprintf(inner, sizeof inner, "%s/pts", path);
    attach(new_mount("devpts", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), inner, true);
    snprintf(inner, sizeof inner, "%s/shm", path);
    close(place_for(inner, true)); /* for whoever mounts something there */
    int all = place_for(path, true);
    if (!restrict_mount(all, MOUNT_ATTR_RDONLY)) fail("cannot close %s", path);
    close(all);
}
