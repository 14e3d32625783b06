/* SPDX-License-Identifier: ISC */
/* status_page.h - the page that the tested process shares with us, and may write what it likes
 * over. */
#ifndef TOOLS_STATUS_PAGE_H
#define TOOLS_STATUS_PAGE_H

#include "event/status.h"

/* Is everything in it that is looked up, counted up to, or read as text? What no enumeration has,
 * what goes on behind the end of its array, is none of the runtime's. */
bool page_is_whole(const struct status *st);

#endif
