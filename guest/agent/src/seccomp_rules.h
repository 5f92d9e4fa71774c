/* Which system calls are refused by name, whatever their arguments: with an answer that programs know what to do with. */
#ifndef HUSK_SECCOMP_RULES_H
#define HUSK_SECCOMP_RULES_H

#include <errno.h>
#include <sys/syscall.h>

#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_quotactl_fd
#define __NR_quotactl_fd 443
#endif

struct refusal {
    unsigned number;
    unsigned short error;
};

static const struct refusal refusals[] = {
    /* other views of the file system */
    {__NR_mount, EPERM}, {__NR_umount2, EPERM}, {__NR_pivot_root, EPERM}, {__NR_chroot, EPERM},
    {__NR_fsopen, EPERM}, {__NR_fsconfig, EPERM}, {__NR_fsmount, EPERM}, {__NR_fspick, EPERM},
    {__NR_move_mount, EPERM}, {__NR_open_tree, EPERM}, {__NR_open_tree_attr, EPERM}, {__NR_mount_setattr, EPERM},
    {__NR_open_by_handle_at, EPERM}, {__NR_name_to_handle_at, EPERM},
    /* other namespaces; libraries fall back to clone, whose flags can be looked at */
    {__NR_unshare, EPERM}, {__NR_setns, EPERM}, {__NR_clone3, ENOSYS},
    /* wide doors into the kernel */
    {__NR_bpf, EPERM}, {__NR_userfaultfd, EPERM}, {__NR_perf_event_open, EPERM}, {__NR_fanotify_init, EPERM},
    {__NR_io_uring_setup, ENOSYS}, {__NR_io_uring_enter, ENOSYS}, {__NR_io_uring_register, ENOSYS},
    /* of these the whole machine has so many, and one sandbox could have them all */
    {__NR_io_setup, ENOSYS}, {__NR_io_destroy, ENOSYS}, {__NR_io_submit, ENOSYS}, {__NR_io_getevents, ENOSYS},
    {__NR_io_pgetevents, ENOSYS}, {__NR_io_cancel, ENOSYS},
    /* keys belong to the user, not to the namespace */
    {__NR_keyctl, EPERM}, {__NR_add_key, EPERM}, {__NR_request_key, EPERM},
    /* other processes */
    {__NR_ptrace, EPERM}, {__NR_process_vm_readv, EPERM}, {__NR_process_vm_writev, EPERM}, {__NR_kcmp, EPERM},
    {__NR_pidfd_getfd, EPERM},
    /* its modes are behind a pointer, where nobody can look at them; libraries fall back to openat */
    {__NR_openat2, ENOSYS},
    /* the machine itself */
    {__NR_kexec_load, EPERM}, {__NR_init_module, EPERM}, {__NR_finit_module, EPERM}, {__NR_delete_module, EPERM},
    {__NR_reboot, EPERM}, {__NR_swapon, EPERM}, {__NR_swapoff, EPERM}, {__NR_acct, EPERM}, {__NR_quotactl, EPERM},
    {__NR_quotactl_fd, EPERM}, {__NR_settimeofday, EPERM}, {__NR_clock_settime, EPERM}, {__NR_adjtimex, EPERM},
    {__NR_clock_adjtime, EPERM}, {__NR_syslog, EPERM}, {__NR_vhangup, EPERM},
#ifdef __NR_kexec_file_load
    {__NR_kexec_file_load, EPERM},
#endif
#ifdef __NR_nfsservctl
    {__NR_nfsservctl, EPERM},
#endif
#ifdef __NR_lookup_dcookie
    {__NR_lookup_dcookie, EPERM},
#endif
#ifdef __x86_64__
    {__NR_iopl, EPERM}, {__NR_ioperm, EPERM}, {__NR_modify_ldt, EPERM}, {__NR_uselib, EPERM}, {__NR_ustat, EPERM},
    {__NR_sysfs, EPERM},
#endif
};

#endif
