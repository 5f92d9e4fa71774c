#include "reap.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"
#include "bridge.h"
#include "clock.h"
#include "control.h"
#include "fail.h"
#include "proc.h"
#include "settings.h"
#include "sinks.h"
#include "table.h"
#include "tree.h"
#include "workers.h"

enum { AGAIN_AFTER_MS = 500 };

static struct bridge_ports ports = {-1, -1};
static int alarms[2] = {-1, -1};
static pid_t bridge, measurer;
static int64_t tried; /* when the helpers were last started */

void take_streams(struct command *command) {
    struct control message;
    for (int descriptor; command->control >= 0 && control_receive(command->control, &message, &descriptor);)
        if (descriptor >= 0) sink_add(descriptor);
}

/* The handler was killed by somebody inside: what it looked after is killed too, as far as it can be told. */
static void bury(struct command *command) {
    struct record *record = command->record;
    struct processes all;
    if (processes_read(&all))
        for (size_t i = 0; i < all.count; i++)
            if (all.list[i].session == record->leader) kill(all.list[i].pid, SIGKILL);
    processes_free(&all);
    record->signal = SIGKILL;
    record->reason = reason_of(record) == SIGNALLED ? KILLED : reason_of(record);
    record->ended_ms = unix_ms();
    record->wall_ms = record->ended_ms - record->started_ms;
    record->ended = true;
}

static void handler_ended(struct command *command) {
    take_streams(command);
    close(command->control);
    command->control = -1;
    command->handler = 0;
    if (command->record->leader <= 0) table_remove(command);
    else if (!command->record->ended) bury(command);
    table_prune();
}

/* A command may stop everybody it can reach; the agent's own go on. */
static void stopped(pid_t pid) {
    if (worker_is(pid)) kill(pid, SIGCONT);
}

void reap_all(void) {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
        if (WIFSTOPPED(status)) {
            stopped(pid);
            continue;
        }
        struct command *command = table_find_handler(pid);
        if (worker_ended(pid)) agent.leaving = true;
        if (command != NULL) handler_ended(command);
        if (pid == bridge) bridge = 0;
        if (pid == measurer) measurer = 0;
    }
}

void helpers_prepare(void) {
    ports = bridge_listen();
    if (settings.workspaces_count == 0) return;
    agent.measured = mmap(NULL, sizeof *agent.measured, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (agent.measured == MAP_FAILED || pipe2(alarms, O_CLOEXEC | O_NONBLOCK) != 0)
        fail("serve: cannot measure %s", settings.workspaces[0]);
    agent.measured->bytes = -1;
}

static bool bridge_missing(void) { return bridge == 0 && (ports.http >= 0 || ports.socks >= 0); }
static bool measurer_missing(void) { return measurer == 0 && agent.measured != NULL; }

int64_t helpers_next(void) { return bridge_missing() || measurer_missing() ? tried + AGAIN_AFTER_MS : 0; }

void helpers_start(void) {
    if (helpers_next() == 0 || (tried != 0 && now_ms() < helpers_next())) return;
    tried = now_ms();
    if (bridge_missing()) {
        pid_t pid = worker_fork(false, (int[]){ports.http, ports.socks, PROXY_DIRECTORY}, 3);
        if (pid == 0) bridge_work(ports);
        bridge = pid > 0 ? pid : 0;
    }
    if (measurer_missing()) {
        pid_t pid = worker_fork(false, &alarms[1], 1);
        if (pid == 0) measure_work(agent.measured, alarms[1]);
        measurer = pid > 0 ? pid : 0;
    }
}

int helpers_alarm(void) { return alarms[0]; }

void disk_is_full(void) {
    char ignored[64];
    while (read(alarms[0], ignored, sizeof ignored) > 0) continue;
    for (struct command *at = commands; at != NULL; at = at->next)
        if (!at->record->ended && at->record->doom == 0) at->record->doom = DISK_LIMIT;
    kill_others_once(worker_is);
}
