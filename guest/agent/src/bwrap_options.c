#include "bwrap_options.h"

#include <stddef.h>
#include <string.h>

static const char *const without_value[] = {
    "--share-net", "--as-pid-1", "--new-session", "--die-with-parent", "--clearenv", "--disable-userns",
    "--assert-userns-disabled", "--unshare-all", "--unshare-user", "--unshare-user-try", "--unshare-ipc",
    "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup", "--unshare-cgroup-try", NULL};
static const char *const with_one[] = {
    "--argv0", "--userns", "--userns2", "--pidns", "--uid", "--gid", "--hostname", "--chdir", "--unsetenv",
    "--lock-file", "--sync-fd", "--remount-ro", "--exec-label", "--file-label", "--proc", "--dev", "--tmpfs",
    "--mqueue", "--dir", "--seccomp", "--add-seccomp-fd", "--block-fd", "--userns-block-fd", "--info-fd",
    "--json-status-fd", "--cap-add", "--cap-drop", "--perms", "--size", NULL};
static const char *const with_two[] = {
    "--setenv", "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try", "--file",
    "--bind-data", "--ro-bind-data", "--symlink", "--chmod", NULL};

static int listed(const char *const *list, const char *option) {
    for (; *list != NULL; list++)
        if (strcmp(*list, option) == 0) return 1;
    return 0;
}

int bwrap_values(const char *option) {
    if (listed(without_value, option)) return 0;
    if (listed(with_one, option)) return 1;
    return listed(with_two, option) ? 2 : -1;
}

enum bind bwrap_bind(const char *option, int *optional) {
    size_t length = strlen(option);
    *optional = length > 4 && strcmp(option + length - 4, "-try") == 0;
    if (strcmp(option, "--bind") == 0 || strcmp(option, "--bind-try") == 0) return BIND_WRITABLE;
    if (strcmp(option, "--ro-bind") == 0 || strcmp(option, "--ro-bind-try") == 0) return BIND_READ_ONLY;
    return BIND_NOT;
}
