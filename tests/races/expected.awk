# SPDX-License-Identifier: ISC
# expected.awk - what the cases of a file say: awk -v model=MODEL -f expected.awk FILE FILE (races.h)
#
# A line for each race, CASE VARIABLE LINE LINE, in the order of lines, or CASE clean.

FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }

NR == FNR { # where the tags are
	if (match($0, /\/\* @[a-z0-9_]+ \*\//))
		line[substr($0, RSTART + 3, RLENGTH - 6)] = FNR
	next
}

/^(\/\*| \*) (clean|race |finds )/ {
	said = 1
	sub(/^(\/\*| \*) /, "")
	sub(/ *\*\/$/, "")
	if (/^finds/)
		race[nraces++] = $2
	if (!/^race/)
		next
	if ($2 ~ /:$/) {
		if (("," substr($2, 1, length($2) - 1) ",") !~ ("," model ","))
			next
		$2 = ""
	}
	n = split($0, word)
	for (i = n - 1; i <= n; i++)
		if (!(word[i] in line))
			print name ":" FNR ": there is no tag " word[i]
	a = line[word[n - 1]]
	b = line[word[n]]
	what = word[2]
	for (i = 3; i < n - 1; i++)
		what = what " " word[i]
	race[nraces++] = what " " (a < b ? a " " b : b " " a)
	next
}

/^CASE\(/ {
	sub(/^CASE\(/, "")
	sub(/\).*/, "")
	if (!said)
		print name ":" FNR ": " $0 " does not say what is expected"
	for (i = 0; i < nraces; i++)
		print $0 " " race[i]
	if (!nraces)
		print $0 " clean"
	nraces = said = 0
}
