/* The operations `kill` and `forget`. */
#include <signal.h>
#include <stddef.h>

#include "agent.h"
#include "control.h"
#include "table.h"
#include "tree.h"

/* The command that is meant; NULL when there is none, and the client has been told. */
static struct command *wanted(struct outbox *out, const struct fields *request) {
    const char *id = fields_get(request, "id");
    struct command *found = id == NULL ? NULL : table_find(id);
    if (id == NULL) answer_problem(out, "protocol", 0, "the field id is missing");
    else if (found == NULL) answer_problem(out, "not_found", 0, "no command %.64s is known", id);
    return found;
}

static void send_signal(struct command *command, int signal, bool tree) {
    struct record *record = command->record;
    record->asked_signal = signal;
    if (signal == SIGKILL && tree && record->doom == 0) record->doom = KILLED;
    /* The handler may itself have been stopped by what it looks after. */
    kill(command->handler, SIGCONT);
    if (signal == SIGKILL && tree) {
        control_send(command->control, &(struct control){.kind = CONTROL_KILL}, -1);
        kill_tree_once(command->handler);
    } else if (tree) signal_tree(command->handler, signal);
    else signal_one(record->leader, signal);
}

void answer_kill(struct outbox *out, const struct fields *request) {
    struct command *command = wanted(out, request);
    long long signal = SIGTERM;
    int tree = fields_flag(request, "tree", 1);
    if (command == NULL) return;
    if (fields_number(request, "signal", 1, 64, &signal) == NUMBER_BAD || tree < 0) {
        answer_problem(out, "protocol", 0, "signal is a number from 1 to 64, tree is 0 or 1");
        return;
    }
    if (command->record->ended || command->handler == 0 || command->record->leader <= 0) {
        answer_problem(out, "not_found", 0, "the command %s does not run", command->record->id);
        return;
    }
    send_signal(command, (int)signal, tree == 1);
    outbox_frame(out, 'A', NULL, 0);
}

void answer_forget(struct outbox *out, const struct fields *request) {
    struct command *command = wanted(out, request);
    if (command == NULL) return;
    if (command->handler != 0 && !command->record->ended) {
        answer_problem(out, "running", 0, "the command %s still runs", command->record->id);
        return;
    }
    table_remove(command);
    outbox_frame(out, 'A', NULL, 0);
}
