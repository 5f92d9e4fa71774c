/* The namespace around families, for daemons that are not root's.
 *
 * Mounts, networks and processes that belong to a user namespace obey whoever has rights there. What a family is to look
 * at but not to change must belong to somebody above it. With root's daemon that is the host; others make a user
 * namespace for each family, outside of which they have no rights and inside of which nobody of the family has any. */
#ifndef HUSK_OUTER_H
#define HUSK_OUTER_H

/* Enters the outer namespace of this family, or a new one for 0, and starts this program there once more: only then are
 * its memory and its files in /proc the namespace's own. Returns at once where that has been done, and for root. */
void outer_enter(char **arguments, long long family);

#endif
