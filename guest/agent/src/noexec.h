#ifndef HUSK_NOEXEC_H
#define HUSK_NOEXEC_H

/* On the host: keeps programs from being started below folders of a sandbox that runs. Arguments: its first process,
   then the folders as they are called inside. */
_Noreturn void noexec(char **arguments);

#endif
