#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Words that comments, messages and test names do not use: pronouns in place of the thread, reader or check in question,
# and words for which runtime/GLOSSARY has the field's own: reported, blocked, state cycle; or spurious, fruitless.
cd "$(dirname "$0")/../.." || exit 1
words='told|nobody|whoever|somebody|anybody|everybody|no one|in vain|lasso|lucky|for no reason'
! git ls-files -z runtime tools instrument include examples tests README.md Makefile ':!tests/fuzz/corpus' \
	':!tests/lint/words.sh' | xargs -0 grep -IniwE "$words"
