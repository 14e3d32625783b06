#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Shell scripts have no warnings of shellcheck (.shellcheckrc lists them). Some words are not quoted, as they have to be
# split, so its notes do not count.
set -eu
cd "$(dirname "$0")/../.."
command -v shellcheck >/dev/null || { echo "shellcheck is missing: tools/deps.sh check" && exit 1; }
git ls-files -z '*.sh' .ci/run | xargs -0 -n 16 -P "${JOBS:-2}" shellcheck -S warning -f gcc
