/* What the agent finds open, by number; docs/agent-protocol.md lists them. */
#ifndef HUSK_DESCRIPTORS_H
#define HUSK_DESCRIPTORS_H

enum { LISTENER = 3, PROXY_DIRECTORY = 4, INFO = 5, MEMORY_EVENTS = 6, PROCESS_EVENTS = 7, VARIABLES = 8, STARTED = 9, USERS = 10, FILTER = 11 };

/* Whoever prepares them keeps these numbers free meanwhile. */
enum { RESERVED = 20 };

#endif
