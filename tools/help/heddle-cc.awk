# SPDX-License-Identifier: ISC
# heddle-cc.awk - heddle-cc(1) from `heddle-cc --heddle-help`.
BEGIN {
	print ".\\\" made by heddle-cc --heddle-help"
	print ".TH HEDDLE-CC 1 \"" date "\" \"heddle " version "\" \"User Commands\""
	print ".SH NAME\nheddle\\-cc, heddle\\-c++ \\- a C compiler whose programs heddle can test"
}

# fixed: lines stay as they are. blank: an empty line waits for what comes after it.
function fill(on) {
	if (fixed == on)
		print on ? ".fi" : ".nf"
	fixed = !on
}
function section(name) {
	fill(1)
	print ".SH " name
	blank = 0
	first = 1
}

{
	gsub(/\\/, "\\e")
	gsub(/-/, "\\-")
}
/^$/ { blank = 1; next }
sub(/^usage: /, "") { section("SYNOPSIS"); print; section("DESCRIPTION"); next }
sub(/^environment: /, "             ") { section("ENVIRONMENT") }
sub(/^exit status: /, "") { section("EXIT STATUS"); $0 = toupper(substr($0, 1, 1)) substr($0, 2) }
/^examples:$/ { section("EXAMPLES"); next }
{
	if (blank && !first && fixed && /^  /)
		print ""
	else if (blank && !first) {
		fill(1)
		print ".PP"
	}
	fill(!/^  /)
	blank = first = 0
	print
}
END { fill(1); print ".SH SEE ALSO\n.BR heddle (1),\n.BR heddle.h (3)" }
