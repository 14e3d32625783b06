/* SPDX-License-Identifier: ISC */
/* status_page.h - the page shared with the tested process, which may overwrite it. */
#ifndef CHILD_STATUS_PAGE_H
#define CHILD_STATUS_PAGE_H

#include "event/status.h"

/* Does the program have another layout of it, from another version of heddle? */
bool page_is_foreign(const struct status *st);

/* Are all its enumerations, counts and texts in range? */
bool page_is_whole(const struct status *st);

#endif
