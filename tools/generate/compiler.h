/* SPDX-License-Identifier: ISC */
/* compiler.h - heddle generate: heddle-cc, as it is beside heddle. */
#ifndef TOOLS_GENERATE_COMPILER_H
#define TOOLS_GENERATE_COMPILER_H

/* Run it with the words of both, which end with NULL; the standard output goes to a file, NULL:
 * is as ours. Dies if it fails: it has said why. */
void compiler_run(const char *const *first, char *const *rest, const char *out);

#endif
