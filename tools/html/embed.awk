# SPDX-License-Identifier: ISC
# embed.awk - page.css and page.js as html_style and html_script (html.h).
BEGIN { print "#include \"html/html.h\"" }
FNR == 1 {
	if (NR > 1)
		print ";"
	print "const char html_" (FILENAME ~ /css$/ ? "style" : "script") "[] ="
}
{
	gsub(/["\\]/, "\\\\&")
	print "\t\"" $0 "\\n\""
}
END { print ";" }
