# SPDX-License-Identifier: ISC
# heddle-cc.awk - heddle-cc(1) from `heddle-cc --heddle-help`.
BEGIN {
	print ".\\\" made by heddle-cc --heddle-help"
	print ".TH HEDDLE-CC 1 \"\" \"heddle " version "\" \"User Commands\""
	print ".SH NAME\nheddle\\-cc, heddle\\-c++ \\- a C compiler whose programs heddle can test"
	print ".SH SYNOPSIS"
}
{
	gsub(/\\/, "\\e")
	gsub(/-/, "\\-")
}
sub(/^usage: /, "") { print ".nf\n" $0 "\n.fi\n.SH DESCRIPTION"; next }
sub(/^environment: /, "             ") { print ".SH ENVIRONMENT\n.nf"; fixed = 1 }
sub(/^exit status: /, "") { print ".fi\n.SH EXIT STATUS"; fixed = 0; print toupper(substr($0, 1, 1)) substr($0, 2); next }
/^examples:$/ { print ".fi\n.SH EXAMPLES\n.nf"; fixed = 1; next }
/^  / && !fixed { print ".nf"; fixed = 1 }
/^[^ ]/ && fixed { print ".fi\n.PP"; fixed = 0 }
{ print $0 == "" ? (fixed ? "" : ".PP") : $0 }
END { print ".fi\n.SH SEE ALSO\n.BR heddle (1),\n.BR heddle.h (3)" }
