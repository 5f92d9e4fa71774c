#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"
#include "bridge.h"
#include "clock.h"
#include "control.h"
#include "counters.h"
#include "fail.h"
#include "harden.h"
#include "reap.h"
#include "seccomp.h"
#include "settings.h"
#include "sinks.h"
#include "table.h"
#include "tree.h"
#include "watch.h"
#include "workers.h"

enum { LISTEN, SIGNALS, ALARM, FIRST_CONNECTION, FIRST_OTHER = FIRST_CONNECTION + CONNECTIONS_MAX };

struct agent agent;
static int signals;

static int block_signals(void) {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error, not a death */
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    sigprocmask(SIG_SETMASK, &watched, NULL);
    return signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void keep_descriptors(void) {
    if (fcntl(LISTENER, F_SETFD, FD_CLOEXEC) != 0) fail("serve: no listening socket as descriptor %d", LISTENER);
    fcntl(LISTENER, F_SETFL, O_NONBLOCK);
    fcntl(PROXY_DIRECTORY, F_SETFD, FD_CLOEXEC);
    syscall(SYS_close_range, PROXY_DIRECTORY + 1, MEMORY_EVENTS - 1, 0);
    syscall(SYS_close_range, PROCESS_EVENTS + 1, ~0u, 0);
    counters_keep();
}

/* On the host the user keeps all rights: nothing is isolated there, and nothing pretends to be. */
static void harden(void) {
    const char *failed = hide_memory();
    if (failed == NULL && !settings.host) failed = give_up_privileges();
    if (failed != NULL) fail("serve: %s", failed);
    if (settings.seccomp && settings.host && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("serve: no_new_privs");
    enum filter filter = settings.fixed_processors ? FILTER_FIXED_PROCESSORS : FILTER_INSIDE;
    if (settings.seccomp && seccomp_install(filter) != 0) fail("serve: the filter of system calls was refused");
}

static void accept_clients(void) {
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
        struct connection *connection = &agent.connections[i];
        if (connection->descriptor >= 0) continue;
        int client = accept4(LISTENER, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client < 0) {
            if (errno == EMFILE || errno == ENFILE) pause_ms(5);
            return;
        }
        agent.met_anybody = true;
        *connection = (struct connection){.descriptor = client, .deadline = now_ms() + REQUEST_DEADLINE_MS};
        connection_listen(connection);
    }
}

static void serve_connection(struct connection *connection, short seen) {
    if (connection->descriptor < 0) return;
    if (!connection->answered) connection_listen(connection);
    if (connection->descriptor < 0) return;
    enum flush flushed = outbox_flush(&connection->out, connection->descriptor);
    if (flushed == FLUSH_LOST || (seen & (POLLHUP | POLLERR)) || now_ms() > connection->deadline ||
        (flushed == FLUSH_DONE && connection->answered))
        connection_close(connection);
}

static void read_signals(void) {
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == (ssize_t)sizeof info) {
        /* What runs inside may not end its own sandbox; whoever sends from outside has no number here, which a queued
         * signal could pretend. */
        bool outside = info.ssi_pid == 0 && info.ssi_code == SI_USER;
        if (info.ssi_signo == SIGTERM && (getpid() != 1 || outside)) agent.leaving = true;
    }
    reap_all();
}

static int time_left(void) {
    int64_t next = helpers_next();
    if (settings.temporary_ms > 0 && !agent.met_anybody) {
        int64_t leave = agent.started + settings.temporary_ms;
        next = next == 0 || leave < next ? leave : next;
    }
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (agent.connections[i].descriptor >= 0 && (next == 0 || agent.connections[i].deadline < next))
            next = agent.connections[i].deadline;
    if (next == 0) return -1;
    int64_t left = next - now_ms();
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
}

static size_t watch(struct pollfd *watched) {
    bool room = false;
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
        struct connection *connection = &agent.connections[i];
        watched[FIRST_CONNECTION + i] = (struct pollfd){connection->descriptor, 0, 0};
        watched[FIRST_CONNECTION + i].events = connection->answered ? POLLOUT : POLLIN;
        if (connection->descriptor < 0) room = true;
    }
    watched[LISTEN] = (struct pollfd){room ? LISTENER : -1, POLLIN, 0};
    watched[SIGNALS] = (struct pollfd){signals, POLLIN, 0};
    watched[ALARM] = (struct pollfd){helpers_alarm(), POLLIN, 0};
    size_t count = FIRST_OTHER;
    for (size_t i = 0; i < sinks_count; i++) watched[count++] = (struct pollfd){sinks[i], POLLIN, 0};
    for (struct command *at = commands; at != NULL && count < FIRST_OTHER + SINKS_MAX + WORKERS_MAX; at = at->next)
        if (at->control >= 0) watched[count++] = (struct pollfd){at->control, POLLIN, 0};
    return count;
}

static void step(void) {
    static struct pollfd watched[FIRST_OTHER + SINKS_MAX + WORKERS_MAX];
    size_t sunk = sinks_count, count = watch(watched);
    if (poll_present(watched, count, time_left()) < 0) return;
    /* Commands first: streams that are handed over must be there before their sender is seen to be gone. */
    for (size_t i = sunk; i-- > 0;)
        if (watched[FIRST_OTHER + i].revents) sink_read(i);
    for (struct command *at = commands; at != NULL; at = at->next) take_streams(at);
    if (watched[SIGNALS].revents) read_signals();
    if (watched[ALARM].revents) disk_is_full();
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        serve_connection(&agent.connections[i], watched[FIRST_CONNECTION + i].fd < 0 ? 0 : watched[FIRST_CONNECTION + i].revents);
    if (watched[LISTEN].revents) accept_clients();
    helpers_start();
    if (settings.temporary_ms > 0 && !agent.met_anybody && now_ms() >= agent.started + settings.temporary_ms)
        agent.leaving = true;
}

/* The first process of a namespace takes all others with it; elsewhere they are looked for. */
static _Noreturn void leave(void) {
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (agent.connections[i].descriptor >= 0)
            outbox_flush(&agent.connections[i].out, agent.connections[i].descriptor);
    for (int64_t patience = now_ms() + 10000; now_ms() < patience; pause_ms(2)) {
        kill_others_once(NULL);
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) break;
    }
    _exit(0);
}

_Noreturn void serve(char **arguments) {
    settings_read(arguments);
    keep_descriptors();
    if (chdir("/") != 0) fail("serve: cannot work in /");
    umask(022);
    agent.started = now_ms();
    for (int i = 0; i < CONNECTIONS_MAX; i++) agent.connections[i].descriptor = -1;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("serve: cannot adopt orphans");
    signals = block_signals();
    if (signals < 0) fail("serve: cannot watch signals");
    harden();
    helpers_prepare();
    helpers_start();
    while (!agent.leaving) step();
    leave();
}
