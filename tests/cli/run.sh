#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - the tests of the command line: all, or those named (`run report`). TAP on stdout.
B=$(realpath "${B:-$(dirname "$0")/../../build}")
export B
cd "$(dirname "$0")" || exit 2
code=0
names=${*:-$(ls t_*.sh | sed 's/^t_//; s/\.sh$//')}
for name in $names; do
	bash "t_$name.sh" || code=1
done
exit $code
