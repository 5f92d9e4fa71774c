#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_resize(int master, long long rows, long long columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    ioctl(master, TIOCSWINSZ, &size);
}

bool terminal_open(int *master, int *slave, long long rows, long long columns) {
    int made = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (made < 0) return false;
    /* The other end by descriptor: its name in /dev/pts may not be visible here. */
    int other = unlockpt(made) != 0 ? -1 : ioctl(made, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (other < 0) {
        int error = errno;
        close(made);
        errno = error;
        return false;
    }
    terminal_resize(made, rows, columns);
    *master = made;
    *slave = other;
    return true;
}
