# SPDX-License-Identifier: ISC
# embed.awk - the pages of the reference as a table in C: one struct page a file (tools/help/page.h).
BEGIN { print "#include \"help/page.h\"\nconst struct page pages[] = {" }
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	printf "%s\t{\"%s\",\n", (NR > 1 ? "\t},\n" : ""), name
}
{
	gsub(/["\\]/, "\\\\&")
	printf "\t\t\"%s\\n\"\n", $0
}
END { print "\t},\n\t{0, 0},\n};" }
