/* Who opened a connection to one of the bridge's ports: from the port to the socket to the process. */
#ifndef HUSK_ASKER_H
#define HUSK_ASKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads a line of /proc/net/tcp: both ports and the number of the socket. */
bool parse_tcp_line(const char *line, unsigned *local_port, unsigned *remote_port, unsigned long *inode);

/* Everything but letters, digits and -._ becomes %XX. */
void percent_encode(char *encoded, size_t capacity, const char *name);

/* The process that holds the client's side, or 0. `name` is what it calls itself, encoded. */
pid_t find_asker(unsigned client_port, unsigned bridge_port, char *name, size_t capacity);

#endif
