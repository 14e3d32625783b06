/* SPDX-License-Identifier: ISC */
/* run.h - the status page, for who explores several things in one process. */
#ifndef MACHINE_RUN_H
#define MACHINE_RUN_H

#include "base/option.h"

/*
 * M.status: the page that the tool has made (option status-fd), or one of our own. Called again, the
 * tool's page stays as it is; ours is cleared, for the next exploration. False: it cannot be had.
 */
bool status_open(const struct options *o);

#endif
