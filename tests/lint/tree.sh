#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The files at the top level of the repository.
set -eu
cd "$(dirname "$0")/../.."
bad=0
for name in $(git ls-files | cut -d/ -f1 | sort -u); do
	case $name in
	Makefile | README.md | LICENSE | runtime | instrument | include | examples | tests | tools) ;;
	.*) ;;
	*) echo "not in the agreed top level: $name" && bad=1 ;;
	esac
done
exit $bad
