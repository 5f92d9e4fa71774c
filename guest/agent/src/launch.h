#ifndef HUSK_LAUNCH_H
#define HUSK_LAUNCH_H

/* The role `husk-agent launch`: prepares descriptors and limits, then becomes PROGRAM. Returns only by exit. */
_Noreturn void launch(char **arguments);

#endif
