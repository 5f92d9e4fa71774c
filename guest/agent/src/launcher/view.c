#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fail.h"
#include "../fields.h"
#include "devices.h"
#include "give.h"
#include "mounts.h"
#include "place.h"

enum { STEPS_MAX = 8192, ORDINARY = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV };

struct step {
    const struct kind *kind;
    char **values;
    int tree; /* of what is bound */
    bool directory;
};

struct kind {
    const char *option;
    int values;
    void (*take)(struct step *step, int user_namespace, long long identity); /* NULL: nothing of the host */
    void (*build)(const struct step *step);
};

static struct step steps[STEPS_MAX];
static int count;
static long long owner;

/* --- what is of the host */

/* What everybody may read anyway belongs to whom it belongs. */
static bool is_public(const char *path) {
    static const char *const roots[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", NULL};
    for (const char *const *root = roots; *root != NULL; root++) {
        size_t length = strlen(*root);
        if (strncmp(path, *root, length) == 0 && (path[length] == '/' || path[length] == '\0'))
            return strstr(path, "/..") == NULL;
    }
    return false;
}

static void take(struct step *step, uint64_t attributes) {
    const char *source = step->values[0];
    struct stat found;
    step->tree = stat(source, &found) == 0 ? clone_tree(source) : -1;
    if (step->tree < 0 || !restrict_tree(step->tree, attributes)) fail("cannot take %s into the sandbox", source);
    step->directory = S_ISDIR(found.st_mode);
}

static void take_writable(struct step *step, int user_namespace, long long identity) {
    const char *source = step->values[0];
    take(step, ORDINARY);
    if (identity >= 0 && !idmap_tree(step->tree, user_namespace) &&
        !(give_may(source) && give(source, (uid_t)identity)))
        fail("cannot give %s to the sandbox: its file system does not take mapped owners", source);
}

static void take_read_only(struct step *step, int user_namespace, long long identity) {
    take(step, ORDINARY | MOUNT_ATTR_RDONLY);
    if (identity >= 0 && !is_public(step->values[0])) idmap_tree(step->tree, user_namespace);
}

/* --- what is put in its place */

static void build_bind(const struct step *step) {
    int place = place_for(step->values[1], step->directory);
    if (!attach_tree(step->tree, place)) fail("cannot attach %s", step->values[0]);
    close(place);
    close(step->tree);
}

/* An empty file is memory too, and none of the folder's size. */
static void files_for(const char *size, char files[32]) {
    enum { EACH = 4096, LEAST = 16384 };
    long long bytes = 0;
    if (!parse_number(size, 10, 0, INT64_MAX, &bytes)) fail("not a size: %s", size);
    snprintf(files, 32, "%lld", bytes / EACH < LEAST ? LEAST : bytes / EACH);
}

static void build_memory(const struct step *step) {
    char files[32];
    files_for(step->values[2], files);
    const char *options[] = {"mode", step->values[1], "size", step->values[2], "nr_inodes", files, NULL};
    int made = new_mount("tmpfs", options, ORDINARY), place = place_for(step->values[0], true);
    if (made < 0 || !attach_tree(made, place)) fail("cannot make %s of memory", step->values[0]);
    close(place);
    place_given(step->values[0]);
    close(made);
}

static void build_link(const struct step *step) { place_link(step->values[1], step->values[0]); }

static void build_folder(const struct step *step) { close(place_for(step->values[0], true)); }

static void build_devices(const struct step *step) { devices_build(step->values[0]); }

static void restrict_place(const struct step *step, bool (*apply)(int, uint64_t), uint64_t attributes) {
    int place = place_for(step->values[0], true);
    if (!apply(place, attributes)) fail("cannot change the mount %s", step->values[0]);
    close(place);
}

static void build_read_only(const struct step *step) { restrict_place(step, restrict_mount, MOUNT_ATTR_RDONLY); }

/* With everything mounted below: a folder in a folder may be a mount of its own. */
static void build_no_exec(const struct step *step) { restrict_place(step, restrict_tree, MOUNT_ATTR_NOEXEC); }

/* --- all of them */

static const struct kind kinds[] = {
    {"--bind", 2, take_writable, build_bind},   {"--ro-bind", 2, take_read_only, build_bind},
    {"--tmpfs", 3, NULL, build_memory},         {"--symlink", 2, NULL, build_link},
    {"--dir", 1, NULL, build_folder},           {"--dev", 1, NULL, build_devices},
    {"--read-only", 1, NULL, build_read_only},  {"--no-exec", 1, NULL, build_no_exec},
};

static const struct kind *kind_of(const char *option) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].option, option) == 0) return &kinds[i];
    return NULL;
}

int view_values(const char *option) {
    const struct kind *kind = kind_of(option);
    return kind == NULL ? 0 : kind->values;
}

void view_add(const char *option, char **values) {
    errno = 0;
    if (count == STEPS_MAX) fail("more than %d files and folders for one sandbox", STEPS_MAX);
    steps[count++] = (struct step){.kind = kind_of(option), .values = values, .tree = -1};
}

void view_take(long long identity) {
    int user_namespace = identity < 0 ? -1 : idmap_namespace((uid_t)identity);
    if (identity >= 0 && user_namespace < 0) fail("cannot make a user namespace for the owner %lld", identity);
    owner = identity;
    for (int i = 0; i < count; i++)
        if (steps[i].kind->take != NULL) steps[i].kind->take(&steps[i], user_namespace, identity);
    if (user_namespace >= 0) close(user_namespace);
}

void view_build(int stage) {
    place_below(stage, "view", owner);
    for (int i = 0; i < count; i++) steps[i].kind->build(&steps[i]);
    place_done();
}
