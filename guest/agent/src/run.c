#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "job.h"
#include "problem.h"
#include "settings.h"
#include "spawn.h"
#include "terminal.h"

enum { WORDS_MAX = 16384, VARIABLES_MAX = 4096 };

static bool flags_are_good(const struct fields *request) {
    return fields_flag(request, "stdin", 0) >= 0 && fields_flag(request, "detach", 0) >= 0 &&
           fields_flag(request, "final", 0) >= 0 && fields_flag(request, "linger", 0) >= 0;
}

static bool numbers_are_good(const struct fields *request) {
    long long ignored;
    enum number rows = fields_number(request, "rows", 1, 65535, &ignored);
    return rows != NUMBER_BAD && rows == fields_number(request, "cols", 1, 65535, &ignored) &&
           fields_number(request, "timeout_ms", 1, INT64_MAX / 4, &ignored) != NUMBER_BAD &&
           fields_number(request, "log_limit", 0, LOG_MOST, &ignored) != NUMBER_BAD;
}

const char *run_refusal(const struct fields *request) {
    size_t words = fields_count(request, "arg");
    if (words < 1 || words > WORDS_MAX) return "run takes from 1 to 16384 arg";
    if (fields_count(request, "env") > VARIABLES_MAX) return "run takes at most 4096 env";
    for (const char *at = NULL; (at = fields_next(request, "env", at)) != NULL;)
        if (at[0] == '=' || strchr(at, '=') == NULL) return "env is NAME=VALUE";
    if (!flags_are_good(request)) return "stdin, detach, final and linger are 0 or 1";
    if (!numbers_are_good(request))
        return "rows and cols come together, from 1 to 65535; timeout_ms from 1; log_limit to 16 MiB";
    const char *id = fields_get(request, "id");
    return id == NULL || id_is_good(id) ? NULL : "id is 1 to 32 of 0-9 and a-z";
}

static char **words_of(const struct fields *request) {
    char **words = calloc(fields_count(request, "arg") + 1, sizeof *words);
    size_t count = 0;
    for (const char *at = NULL; words != NULL && (at = fields_next(request, "arg", at)) != NULL;)
        words[count++] = (char *)(uintptr_t)at;
    return words;
}

static bool open_pipes(struct job *job, struct spawn *what, bool wants_input) {
    int input[2] = {open("/dev/null", O_RDONLY | O_CLOEXEC), -1}, output[2], errors[2];
    if (wants_input && pipe2(input, O_CLOEXEC) != 0) return false;
    if (input[0] < 0 || pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) return false;
    what->input = input[0];
    what->output = output[1];
    what->errors = errors[1];
    job->input = input[1];
    job->output[0] = output[0];
    job->output[1] = errors[0];
    return true;
}

static bool open_terminal(struct job *job, struct spawn *what, long long rows, long long columns) {
    int slave;
    if (!terminal_open(&job->output[0], &slave, rows, columns)) return false;
    job->input = fcntl(job->output[0], F_DUPFD_CLOEXEC, 3);
    job->terminal = what->terminal = true;
    what->input = what->output = what->errors = slave;
    return job->input >= 0;
}

static bool open_streams(struct job *job, struct spawn *what, const struct fields *request) {
    long long rows, columns;
    job->input = job->output[0] = job->output[1] = -1;
    bool opened = fields_number(request, "rows", 1, 65535, &rows) == NUMBER_GOOD &&
                          fields_number(request, "cols", 1, 65535, &columns) == NUMBER_GOOD
                      ? open_terminal(job, what, rows, columns)
                      : open_pipes(job, what, fields_flag(request, "stdin", 0) == 1);
    int ours[] = {job->input, job->output[0], job->output[1]};
    for (int i = 0; opened && i < 3; i++)
        if (ours[i] >= 0) fcntl(ours[i], F_SETFL, O_NONBLOCK);
    return opened;
}

static void close_theirs(const struct spawn *what) {
    close(what->input);
    if (what->output != what->input) close(what->output);
    if (what->errors != what->output) close(what->errors);
}

static _Noreturn void refuse(int client, const struct spawn *what, struct spawn_failure failure) {
    const char *program = what->arguments[0];
    if (failure.stage == SPAWN_FORK)
        send_problem(client, code_of(failure.error), failure.error, "cannot start %s", program);
    else if (failure.stage == SPAWN_DIRECTORY)
        send_problem(client, "bad_directory", failure.error, "cannot work in %s", what->cwd);
    else
        send_problem(client, failure.error == ENOENT || failure.error == ENOTDIR ? "not_found" : "not_executable",
                     failure.error, "cannot run %s", program);
    _exit(1);
}

static int watch_children(void) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    return signalfd(-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* The answer, and then either the client stays or, for a detached command, leaves at once. */
static void greet(struct job *job, int client) {
    struct text text = {0};
    say(&text, "id", "%s", job->record->id);
    say(&text, "pid", "%d", job->record->leader);
    if (job->record->detached) {
        send_answer(client, &text);
        close(client);
        return;
    }
    struct client *owner = job_add_client(job, client, 3);
    if (owner == NULL) _exit(1);
    owner->owner = true;
    outbox_frame(&owner->out, 'A', text.bytes, text.length);
    text_free(&text);
}

_Noreturn void run(int client, const struct fields *request, struct record *record, int control) {
    static struct job job;
    struct spawn_failure failure;
    job.record = record;
    job.control = control;
    job.linger = fields_flag(request, "linger", 0) == 1;
    struct spawn what = {.arguments = words_of(request), .environment = environment_of(request)};
    what.cwd = fields_get(request, "cwd") == NULL ? settings.cwd : fields_get(request, "cwd");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    job.signals = watch_children();
    if (what.arguments == NULL || what.environment == NULL || job.signals < 0 || !open_streams(&job, &what, request)) {
        const char *code = errno == ENOENT ? "io" : code_of(errno); /* no terminal here; not "no such program" */
        send_problem(client, code, errno, "cannot prepare %s", fields_get(request, "arg"));
        _exit(1);
    }
    job.started = now_ms();
    record->started_ms = unix_ms();
    record->before = counters_now();
    what.announced = &record->leader;
    record->leader = spawn(&what, &failure);
    close_theirs(&what);
    if (record->leader < 0) refuse(client, &what, failure);
    long long timeout = 0;
    if (fields_number(request, "timeout_ms", 1, INT64_MAX / 4, &timeout) == NUMBER_GOOD)
        job.deadline = job.started + timeout;
    greet(&job, client);
    job_work(&job);
    _exit(0);
}
