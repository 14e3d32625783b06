/* SPDX-License-Identifier: ISC */
/* temporary.h - folders for files that do not stay. */
#ifndef TOOLS_TEMPORARY_H
#define TOOLS_TEMPORARY_H

/* Make a new folder for this purpose in $TMPDIR, without it in /tmp; who asked removes it. NULL:
 * errno says why not. The path fits into an option (OPTION_TEXT_MAX) and has room there for a
 * file's name. */
char *temporary_folder(const char *purpose);

#endif
