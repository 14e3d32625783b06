# SPDX-License-Identifier: ISC
# header.awk - heddle.h(3) from the public header: each function with the comment that stands before it.
#
# What the file's first comment says is the description. A declaration counts if a comment
# stands right before it; names that end with _ are not for users.
function text(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

# A comment's lines; what is indented stays as it is.
function show(n,   i, fixed) {
	fixed = 0
	for (i = 1; i <= n; i++) {
		if ((comment[i] ~ /^  /) != fixed) {
			fixed = !fixed
			print fixed ? ".nf" : ".fi"
		}
		print comment[i] == "" ? ".PP" : text(comment[i])
	}
	if (fixed)
		print ".fi"
}

function entry(   name) {
	name = declaration
	if (name ~ /^#define/) {
		sub(/^#define /, "", declaration)
		sub(/\).*/, ")", declaration)
	} else {
		sub(/^static inline /, "", declaration)
		sub(/[ \t]*\{?$/, "", declaration)
		gsub(/[ \t]+/, " ", declaration)
	}
	gsub(/\( /, "(", declaration)
	print ".SS " text(declaration)
	show(lines)
	lines = 0
}

BEGIN {
	print ".\\\" made from heddle/heddle.h"
	print ".TH HEDDLE.H 3 \"" date "\" \"heddle " version "\" \"Library Functions\""
	print ".SH NAME\nheddle.h \\- for C programs that heddle tests"
	print ".SH SYNOPSIS\n.B #include <heddle/heddle.h>"
}

/^#ifndef HEDDLE_H/ { print ".SH DESCRIPTION"; show(lines); lines = 0; print ".SH FUNCTIONS"; next }
/^\/\* SPDX/ { next }
/^\/\* ---/ { next }
/^\/\*/ { lines = 0; inside = 1; sub(/^\/\* ?/, "") }
inside {
	last = sub(/[ \t]*\*\/.*/, "")
	sub(/^ \* ?/, "")
	if (!(last && $0 == "") && !(lines == 0 && $0 == "") && $0 != " ")
		comment[++lines] = $0
	if (last)
		inside = 0
	next
}
/^$/ && !collecting { next }
collecting || (lines && /^(static inline|#define heddle_)/) {
	declaration = collecting ? declaration " " $0 : $0
	sub(/[ \t]*\\$/, "", declaration)
	collecting = declaration !~ /\)[ \t]*$/
	if (!collecting && declaration !~ /heddle_[a-z_]*_\(/)
		entry()
	next
}
lines && /^struct heddle_[a-z]* \{/ { members = 1; sub(/ \{.*/, ""); declaration = $0; entry(); print ".nf"; next }
members && /^};/ { members = 0; print ".fi"; next }
members { sub(/^\t/, "    "); gsub(/\t+ */, "  "); print text($0); next }
{ lines = 0 }
END { print ".SH SEE ALSO\n.BR heddle (1),\n.BR heddle\\-cc (1)" }
