#include "harden.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *hide_memory(void) {
    /* Where core files go to a program, which then runs as root of the host, a limit of 0 does not keep them back; 1 does. */
    struct rlimit none, least = {1, 1};
    if (getrlimit(RLIMIT_CORE, &none) != 0) return "getrlimit(core)";
    if (none.rlim_max > 1 && setrlimit(RLIMIT_CORE, &least) != 0) return "setrlimit(core)";
    return prctl(PR_SET_DUMPABLE, 0) == 0 ? NULL : "prctl(dumpable)";
}

/* Without CAP_SETPCAP the set cannot be made smaller; with no_new_privs it cannot be used either. */
static void empty_bounding_set(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

const char *give_up_privileges(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct nothing[2] = {{0, 0, 0}, {0, 0, 0}};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "prctl(no_new_privs)";
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    empty_bounding_set();
    return syscall(SYS_capset, &header, nothing) == 0 ? NULL : "capset";
}
