/* SPDX-License-Identifier: ISC */
/* temporary.h - folders for temporary files. */
#ifndef TOOLS_TEMPORARY_H
#define TOOLS_TEMPORARY_H

/* Make a new folder for this purpose in $TMPDIR, without it in /tmp; the caller removes it. NULL:
 * see errno. The path fits into an option (OPTION_TEXT_MAX) and has room there for a
 * file's name. */
char *temporary_folder(const char *purpose);

/* Remove a folder with all that is in it, as far as that is possible. */
void remove_folder(const char *folder);

#endif
