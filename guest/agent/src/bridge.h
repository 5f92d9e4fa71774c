/* The way out: connections to two local ports are passed to the proxy's socket on the host, with a line that says who
   asks. One process with one loop for all of them, so that many connections do not use up the processes. */
#ifndef HUSK_BRIDGE_H
#define HUSK_BRIDGE_H

struct bridge_ports {
    int http, socks; /* listening sockets, or -1 */
};

/* Listens on the ports of the settings; ends the program when it cannot. */
struct bridge_ports bridge_listen(void);

_Noreturn void bridge_work(struct bridge_ports ports);

#endif
