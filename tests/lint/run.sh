#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Run every lint of this folder; TAP, exit 1 if one fails.
cd "$(dirname "$0")" || exit 2
n=0 failed=0
for lint in *.sh; do
	[ "$lint" = run.sh ] && continue
	n=$((n + 1))
	if out=$(bash "$lint" 2>&1); then
		echo "ok $n - lint: ${lint%.sh}"
	else
		echo "not ok $n - lint: ${lint%.sh}"
		printf '%s\n' "$out" | sed 's/^/# /'
		failed=$((failed + 1))
	fi
done
echo "1..$n"
[ "$failed" = 0 ]
