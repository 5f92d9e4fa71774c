#include "proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool parse_stat(const char *line, struct process *process) {
    /* The name is in brackets and may hold brackets and spaces: what counts is the last one. */
    const char *rest = strrchr(line, ')');
    if (rest == NULL) return false;
    unsigned long long user, system;
    long long user_children, system_children, pages;
    int pid, parent, session, threads;
    char state;
    if (sscanf(line, "%d", &pid) != 1) return false;
    int found = sscanf(rest + 1,
                       " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %d %*d %*u %*u %lld",
                       &state, &parent, &session, &user, &system, &user_children, &system_children, &threads, &pages);
    if (found != 9) return false;
    *process = (struct process){pid, parent, session, state, threads, user + (unsigned long long)user_children,
                                system + (unsigned long long)system_children, pages};
    return true;
}

bool has_ended(const struct process *process) {
    return process->state == 'Z' && process->threads <= 1;
}

static bool read_stat(int directory, const char *name, struct process *process) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "%.32s/stat", name);
    int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    if (length <= 0) return false;
    line[length] = '\0';
    return parse_stat(line, process);
}

bool processes_read(struct processes *processes) {
    *processes = (struct processes){0};
    size_t capacity = 0;
    DIR *directory = opendir("/proc");
    if (directory == NULL) return false;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (processes->count == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            struct process *larger = realloc(processes->list, capacity * sizeof *larger);
            if (larger == NULL) break;
            processes->list = larger;
        }
        if (read_stat(dirfd(directory), entry->d_name, &processes->list[processes->count])) processes->count++;
    }
    closedir(directory);
    return true;
}

static bool holds(const struct process *list, size_t count, pid_t pid) {
    for (size_t i = 0; i < count; i++)
        if (list[i].pid == pid) return true;
    return false;
}

void processes_below(struct processes *processes, pid_t ancestor) {
    size_t kept = 0;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = kept; i < processes->count; i++) {
            struct process one = processes->list[i];
            if (one.parent != ancestor && !holds(processes->list, kept, one.parent)) continue;
            processes->list[i] = processes->list[kept];
            processes->list[kept++] = one;
            grew = true;
        }
    }
    processes->count = kept;
}

void processes_free(struct processes *processes) {
    free(processes->list);
    *processes = (struct processes){0};
}
