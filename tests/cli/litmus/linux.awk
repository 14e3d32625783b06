# SPDX-License-Identifier: ISC
# linux.awk - a litmus test of the Linux kernel's for each row of linux.txt: NAME | VERDICT | P0 | P1 | P2 | CONDITION,
# with R and W for READ_ONCE and WRITE_ONCE of a location; into `folder'. Prints the verdicts.
BEGIN { FS = " *[|] *" }
{
	file = folder "/" $1 ".litmus"
	printf "C %s\n\n{ atomic_t a; spinlock_t l; struct srcu_struct d; struct srcu_struct e; }\n", $1 >file
	for (t = 0; t < 3 && $(t + 3) != ""; t++) {
		code = $(t + 3)
		gsub(/R\(/, "READ_ONCE(*(", code)
		gsub(/W\(/, "WRITE_ONCE(*", code)
		code = closed(code)
		printf "\nP%d(int *x, int *y, int *z, int *s, int *p, atomic_t *a, spinlock_t *l, struct srcu_struct *d, struct srcu_struct *e)\n", t >file
		printf "{\n\tint r = 9;\n\tint s1 = 9;\n\n\t%s\n}\n", code >file
	}
	printf "\nexists (%s)\n", $6 >file
	close(file)
	printf "%s %s\n", $1, $2
}

# READ_ONCE(*(x) of R(x): its second bracket.
function closed(code,   at, depth, c, result) {
	while ((at = index(code, "READ_ONCE(*("))) {
		result = result substr(code, 1, at + 11)
		code = substr(code, at + 12)
		for (depth = 1; depth; code = substr(code, 2)) {
			c = substr(code, 1, 1)
			depth += (c == "(") - (c == ")")
			result = result c
		}
		result = result ")"
	}
	return result code
}
