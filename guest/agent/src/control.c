#include "control.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

union passed {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool control_send(int channel, const struct control *message, int descriptor) {
    struct iovec part = {(void *)message, sizeof *message};
    union passed passed = {0};
    struct msghdr envelope = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        envelope.msg_control = passed.bytes;
        envelope.msg_controllen = sizeof passed.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&envelope);
        *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(channel, &envelope, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof *message;
}

bool control_receive(int channel, struct control *message, int *descriptor) {
    struct iovec part = {message, sizeof *message};
    union passed passed = {0};
    struct msghdr envelope = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = passed.bytes, .msg_controllen = sizeof passed.bytes};
    *descriptor = -1;
    if (recvmsg(channel, &envelope, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *message) return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&envelope);
    if (header != NULL && header->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    return true;
}
