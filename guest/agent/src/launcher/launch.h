#ifndef HUSK_LAUNCH_H
#define HUSK_LAUNCH_H

/* The role `husk-agent launch`: prepares descriptors and limits, builds the stage of a sandbox, and has PROGRAM started
 * on it in a family of sandboxes. Without a family it becomes PROGRAM. Returns only by exit. */
_Noreturn void launch(char **arguments);

#endif
