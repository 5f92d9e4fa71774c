/* Operations on files, each in a handler of its own, which may wait. */
#ifndef HUSK_FILES_H
#define HUSK_FILES_H

#include "fields.h"

void do_read(int client, const struct fields *request);
void do_write(int client, const struct fields *request);
void do_stat(int client, const struct fields *request);
void do_list(int client, const struct fields *request);
void do_mkdir(int client, const struct fields *request);
void do_remove(int client, const struct fields *request);
void do_empty(int client, const struct fields *request);
void do_move(int client, const struct fields *request);
void do_pack(int client, const struct fields *request);
void do_unpack(int client, const struct fields *request);
void do_forward(int client, const struct fields *request);

/* The value of this key if it is an absolute path; else NULL, and the client has been told. */
const char *path_of(int client, const struct fields *request, const char *key);

#endif
