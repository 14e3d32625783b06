/* SPDX-License-Identifier: ISC */
/* status_page.h - the page shared with the tested process, which may overwrite it. */
#ifndef TOOLS_STATUS_PAGE_H
#define TOOLS_STATUS_PAGE_H

#include "event/status.h"

/* Are all its enumerations, counts and texts in range? */
bool page_is_whole(const struct status *st);

#endif
