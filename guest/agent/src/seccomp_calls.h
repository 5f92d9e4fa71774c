/* Which system calls there are for whoever is inside, whatever their arguments. What is neither here nor in
 * seccomp_rules.h nor looked at by seccomp.c is answered as if this Linux did not have it. */
#ifndef HUSK_SECCOMP_CALLS_H
#define HUSK_SECCOMP_CALLS_H

#include <sys/syscall.h>

/* Younger than the headers of Debian 12; these have the same numbers everywhere. */
enum {
    CALL_CACHESTAT = 451,
    CALL_MAP_SHADOW_STACK = 453,
    CALL_FUTEX_WAKE = 454,
    CALL_FUTEX_WAIT = 455,
    CALL_FUTEX_REQUEUE = 456,
    CALL_MSEAL = 462,
    CALL_SETXATTRAT = 463,
    CALL_GETXATTRAT = 464,
    CALL_LISTXATTRAT = 465,
    CALL_REMOVEXATTRAT = 466,
};

static const unsigned short allowed_calls[] = {
    /* files by descriptor */
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev,
    __NR_preadv2, __NR_pwritev2, __NR_lseek, __NR_close, __NR_dup, __NR_dup3, __NR_fcntl, __NR_flock,
    __NR_fsync, __NR_fdatasync, __NR_sync, __NR_syncfs, __NR_sync_file_range, __NR_ftruncate, __NR_fadvise64,
    __NR_readahead, __NR_copy_file_range, __NR_sendfile, __NR_splice, __NR_tee, __NR_vmsplice, CALL_CACHESTAT,
    /* files by name */
    __NR_truncate, __NR_getdents64, __NR_getcwd, __NR_chdir, __NR_fchdir, __NR_mkdirat, __NR_unlinkat, __NR_renameat,
    __NR_linkat, __NR_symlinkat, __NR_readlinkat, __NR_faccessat, __NR_faccessat2, __NR_newfstatat, __NR_fstat,
    __NR_statx, __NR_statfs, __NR_fstatfs, __NR_fchown, __NR_fchownat, __NR_umask, __NR_utimensat, __NR_setxattr,
    __NR_lsetxattr, __NR_fsetxattr, __NR_getxattr, __NR_lgetxattr, __NR_fgetxattr, __NR_listxattr, __NR_llistxattr,
    __NR_flistxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, CALL_SETXATTRAT, CALL_GETXATTRAT,
    CALL_LISTXATTRAT, CALL_REMOVEXATTRAT,
    /* waiting */
    __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_epoll_pwait2, __NR_eventfd2,
    __NR_signalfd4, __NR_timerfd_create, __NR_timerfd_settime, __NR_timerfd_gettime, __NR_inotify_init1,
    __NR_inotify_add_watch, __NR_inotify_rm_watch, __NR_pipe2, __NR_memfd_secret,
    /* sockets */
    __NR_connect, __NR_accept, __NR_accept4, __NR_bind, __NR_listen, __NR_shutdown, __NR_sendto, __NR_recvfrom,
    __NR_sendmsg, __NR_recvmsg, __NR_sendmmsg, __NR_recvmmsg, __NR_getsockname, __NR_getpeername, __NR_getsockopt,
    /* memory */
    __NR_munmap, __NR_mprotect, __NR_mremap, __NR_msync, __NR_madvise, __NR_mincore, __NR_brk, __NR_mlock,
    __NR_mlock2, __NR_munlock, __NR_mlockall, __NR_munlockall, __NR_mbind, __NR_get_mempolicy, __NR_set_mempolicy,
    __NR_set_mempolicy_home_node, __NR_migrate_pages, __NR_move_pages, __NR_process_madvise, __NR_process_mrelease,
    __NR_remap_file_pages, __NR_pkey_alloc, __NR_pkey_free, __NR_pkey_mprotect, __NR_membarrier, CALL_MSEAL,
    CALL_MAP_SHADOW_STACK,
    /* processes and threads */
    __NR_execve, __NR_execveat, __NR_exit, __NR_exit_group, __NR_wait4, __NR_waitid, __NR_kill, __NR_tkill, __NR_tgkill,
    __NR_pidfd_open, __NR_pidfd_send_signal, __NR_getpid, __NR_getppid, __NR_gettid, __NR_getpgid, __NR_setpgid,
    __NR_getsid, __NR_setsid, __NR_set_tid_address, __NR_set_robust_list, __NR_get_robust_list, __NR_futex,
    __NR_futex_waitv, CALL_FUTEX_WAKE, CALL_FUTEX_WAIT, CALL_FUTEX_REQUEUE, __NR_rseq, __NR_seccomp,
    __NR_landlock_create_ruleset, __NR_landlock_add_rule, __NR_landlock_restrict_self,
    /* who one is */
    __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getresuid, __NR_getresgid, __NR_getgroups, __NR_setuid,
    __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setfsuid, __NR_setfsgid,
    __NR_setgroups, __NR_capget, __NR_capset, __NR_uname, __NR_sysinfo, __NR_getrusage, __NR_times, __NR_getcpu,
    __NR_getrandom,
    /* signals */
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigtimedwait,
    __NR_rt_sigsuspend, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_sigaltstack, __NR_restart_syscall,
    /* time */
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday, __NR_getitimer,
    __NR_setitimer, __NR_timer_create, __NR_timer_settime, __NR_timer_gettime, __NR_timer_getoverrun, __NR_timer_delete,
    /* scheduling, as far as it concerns oneself */
    __NR_sched_yield, __NR_sched_getaffinity, __NR_sched_getparam, __NR_sched_setparam, __NR_sched_getscheduler,
    __NR_sched_getattr, __NR_sched_get_priority_max, __NR_sched_get_priority_min, __NR_sched_rr_get_interval,
    __NR_getpriority, __NR_ioprio_get,
    /* between processes of a sandbox */
    __NR_shmat, __NR_shmctl, __NR_shmdt, __NR_semget, __NR_semop, __NR_semtimedop, __NR_semctl,
    __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl, __NR_mq_open, __NR_mq_unlink, __NR_mq_timedsend,
    __NR_mq_timedreceive, __NR_mq_notify, __NR_mq_getsetattr,
    /* what is the machine's, and refuses by itself whoever has no right */
    __NR_sethostname, __NR_setdomainname,
#ifdef __NR_getrlimit
    __NR_getrlimit,
#endif
#ifdef __x86_64__
    /* the same in older words */
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_mkdir, __NR_rmdir, __NR_rename, __NR_link, __NR_unlink,
    __NR_symlink, __NR_chown, __NR_lchown, __NR_getdents, __NR_utime, __NR_utimes, __NR_futimesat, __NR_poll, __NR_select,
    __NR_epoll_create, __NR_epoll_wait, __NR_eventfd, __NR_signalfd, __NR_inotify_init, __NR_pipe, __NR_dup2, __NR_pause,
    __NR_alarm, __NR_time, __NR_fork, __NR_vfork, __NR_getpgrp, __NR_arch_prctl, __NR_set_thread_area,
    __NR_get_thread_area,
#endif
};

#endif
