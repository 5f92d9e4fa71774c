#include "asker.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool parse_tcp_line(const char *line, unsigned *local_port, unsigned *remote_port, unsigned long *inode) {
    return sscanf(line, " %*u: %*8x:%4x %*8x:%4x %*2x %*x:%*x %*x:%*x %*x %*u %*u %lu", local_port, remote_port,
                  inode) == 3;
}

void percent_encode(char *encoded, size_t capacity, const char *name) {
    size_t at = 0;
    for (; *name != '\0' && at + 4 <= capacity; name++) {
        unsigned char byte = (unsigned char)*name;
        bool plain = byte < 128 && (isalnum(byte) || strchr("-._", byte) != NULL);
        at += (size_t)snprintf(encoded + at, capacity - at, plain ? "%c" : "%%%02X", byte);
    }
    if (capacity > 0) encoded[at < capacity ? at : capacity - 1] = '\0';
}

static unsigned long socket_of(unsigned client_port, unsigned bridge_port) {
    FILE *table = fopen("/proc/net/tcp", "re");
    if (table == NULL) return 0;
    char line[512];
    unsigned long found = 0;
    while (found == 0 && fgets(line, sizeof line, table) != NULL) {
        unsigned local, remote;
        unsigned long inode;
        if (parse_tcp_line(line, &local, &remote, &inode) && local == client_port && remote == bridge_port)
            found = inode;
    }
    fclose(table);
    return found;
}

static bool process_holds(const char *pid, const char *socket) {
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    DIR *directory = opendir(path);
    if (directory == NULL) return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(directory)) != NULL;) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length <= 0) continue;
        target[length] = '\0';
        found = strcmp(target, socket) == 0;
    }
    closedir(directory);
    return found;
}

static pid_t holder_of(const char *socket) {
    /* Whoever asked last mostly asks next. */
    static char last[24];
    if (last[0] != '\0' && process_holds(last, socket)) return atoi(last);
    DIR *directory = opendir("/proc");
    if (directory == NULL) return 0;
    pid_t found = 0;
    for (struct dirent *entry; found == 0 && (entry = readdir(directory)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0]) || !process_holds(entry->d_name, socket)) continue;
        found = atoi(entry->d_name);
        snprintf(last, sizeof last, "%.20s", entry->d_name);
    }
    closedir(directory);
    return found;
}

static void name_of(pid_t pid, char *name, size_t capacity) {
    char path[64], comm[64] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, comm, sizeof comm - 1);
    if (file >= 0) close(file);
    if (length > 0) comm[length - 1] = '\0';
    percent_encode(name, capacity, comm);
}

pid_t find_asker(unsigned client_port, unsigned bridge_port, char *name, size_t capacity) {
    char socket[64];
    name[0] = '\0';
    unsigned long inode = socket_of(client_port, bridge_port);
    if (inode == 0) return 0;
    snprintf(socket, sizeof socket, "socket:[%lu]", inode);
    pid_t pid = holder_of(socket);
    if (pid != 0) name_of(pid, name, capacity);
    return pid;
}
