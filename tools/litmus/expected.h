/* SPDX-License-Identifier: ISC */
/* expected.h - heddle litmus --expected: the results of another run, or of another tool. */
#ifndef LITMUS_EXPECTED_H
#define LITMUS_EXPECTED_H

#include <stdbool.h>

/* Read lines "Observation NAME Sometimes ...", as in logs of herd and of heddle, "NAME Sometimes",
 * or "NAME Allowed", as in herd's kinds.txt. Others are skipped. */
void expected_read(const char *path);

/* Does the file say otherwise? Then a line says so. Tests that it does not name do not differ. */
bool expected_differs(const char *name, const char *observation);

#endif
