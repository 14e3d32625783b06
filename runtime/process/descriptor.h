/* SPDX-License-Identifier: ISC */
/* descriptor.h - descriptors of our own, and of libraries that we use: kept away from the
 * program's, which are the same in every execution. */
#ifndef PROCESS_DESCRIPTOR_H
#define PROCESS_DESCRIPTOR_H

#define DESCRIPTORS_OWN 600 /* from here on; enough for most programs */

/* Between the two calls, new descriptors are high: at most one pipe, if the limit of the process is
 * low. */
void descriptors_hold(void);
void descriptors_release(void);

#endif
