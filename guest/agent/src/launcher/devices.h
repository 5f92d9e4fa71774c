#ifndef HUSK_DEVICES_H
#define HUSK_DEVICES_H

/* Makes a /dev at this place of the view: the few devices that everybody may use, and terminals of its own. */
void devices_build(const char *path);

#endif
