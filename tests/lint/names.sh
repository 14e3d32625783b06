#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# References are valid: files in comments of runtime/ and include/ and in runtime/README exist; functions in
# runtime/README are in the file given in brackets; so do files, functions and structures in the other documents, and
# runtime/README lists the folders of LAYERS, and tests/README those of tests/. No file refers to notes that are not in
# the tree: papers have a title and a section. Each file of runtime/ begins with its name and its purpose: `make map`.
#
# The name of a static function is unique in the runtime, in the tools and in each compiler's plugin, and so is that of a
# structure, union or enumeration: a debugger's `break NAME' and `ptype struct NAME' and an index find one place. Code of
# a processor has the same names for each.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
bad=0
complain() {
	echo "$*, which does not exist"
	bad=1
}

known=$(mktemp)
trap 'rm -f "$known"' EXIT
# Every suffix of a path refers to it.
git ls-files | awk -F/ '{ s = $NF; print s; for (i = NF - 1; i; i--) { s = $i "/" s; print s } }' | sort -u >"$known"
while read -r where name; do
	[ -e "/usr/include/$name" ] || complain "$where names $name"
done < <(git ls-files runtime include | grep -E '\.([chS]|def)$|README$' |
	xargs grep -noE '(^|[ (`"*])[a-z_0-9/]+\.(c|h|S|def|sh)([ ,;:.)]|$)' |
	sed -E 's/^([^:]*:[0-9]+):[ (`"*]?([a-z_0-9/.]*\.(c|h|S|def|sh))[ ,;:.)]?$/\1 \2/' |
	awk 'NR == FNR { known[$1]; next } !($2 in known)' "$known" -)

while IFS=: read -r file line name; do
	grep -qxF -- "${name##*/}" "$known" || complain "$file:$line names $name"
done < <(git grep -nIoE '[A-Za-z_0-9./-]+[.]md\b|\bDESIGN\b|\btheory/[a-z]+' -- ':!tests/lint/names.sh')

# Functions of several sizes are made by macros: name##size.
defines() {
	grep -qE "\b${1%%[0-9]}##size\b|\b$1\b" "${@:2}"
}
mapfile -t sources < <(git ls-files 'runtime/*.[chS]' 'tools/*.[ch]' 'instrument/*.[ch]' include)
text=$(tr '\n\t' '  ' <runtime/README | tr -s ' ')
for name in $(grep -oE '\b[a-z_0-9]+\(\)' <<<"$text" | sort -u); do
	name=${name%??}
	case $name in main) continue ;; esac
	defines "$name" "${sources[@]}" || complain "runtime/README names $name()"
done
while read -r name file; do
	for path in "runtime/$file" "$file"; do
		[ -e "$path" ] && { defines "$name" "$path" || complain "runtime/README names $name() in $file"; }
	done
done < <(grep -oE '\b[a-z_0-9]+\(\) \([a-zA-Z_/0-9]+\.[chS]\)' <<<"$text" | sed -E 's/\(\) \(/ /; s/\)$//')

# The other documents: each function(), struct, enum and file that they name is there.
documents=(runtime/README runtime/GLOSSARY tools/README tests/README tests/fuzz/README instrument/README)
while IFS=: read -r where name; do
	complain "$where names $name"
done < <(git ls-files '*.[chS]' '*.cc' '*.def' '*.sh' | xargs grep -ohE '[A-Za-z_][A-Za-z_0-9]*' | sort -u |
	awk -F: 'NR == FNR { known[$0]; next } { name = $2; sub(/[0-9]$/, "", name) } !(name in known)' - <(
		grep -oE '[a-z_0-9]+\(\)|(struct|enum) [a-z_]+' "${documents[@]}" |
			sed -E 's/\(\)$//; s/:(struct|enum) /:/' | sort -u))
while IFS=: read -r where name; do
	grep -qxF -- "${name#../}" "$known" || [ -e "/usr/include/$name" ] || complain "$where names $name"
done < <(grep -oE '[a-z_0-9./-]+\.(c|h|S|def|sh|py|txt)\b' "${documents[@]}" | grep -vE 'README:(_|ck_)' | sort -u)
for folder in $(git ls-files tests | awk -F/ 'NF > 2 {print $2}' | sort -u); do
	grep -qE "(^|[ (])$folder/" tests/README || { echo "tests/README does not name $folder/"; bad=1; }
done
diff <(sed -nE 's/^ {2,4}([a-z/]+) {2,}.*/\1/p' runtime/README | sort) <(tr ' ' '\n' <runtime/LAYERS | sort) >/dev/null ||
	{ echo "runtime/README does not list the folders of LAYERS"; bad=1; }

twice=$(git ls-files 'runtime/*.[ch]' 'tools/*.[ch]' 'instrument/*.[ch]' | xargs awk '
	FILENAME ~ /^runtime\/arch\// { next }
	FNR == 1 { top = FILENAME ~ /^instrument\/gcc\// ? "gcc" : substr(FILENAME, 1, index(FILENAME, "/")) }
	function defines(what, name)
	{
		if (place[top, what, name] && place[top, what, name] != FILENAME)
			print FILENAME " and " place[top, what, name] " have a " what " " name " each"
		place[top, what, name] = FILENAME
	}
	match($0, /(struct|union|enum) +[a-z_0-9]+ *[{]/) {
		split(substr($0, RSTART, RLENGTH), words, / +/)
		defines("type", words[2])
	}
	/^static / && !/;$/ {
		line = $0
		gsub(/__attribute__\(\([^)]*\(?[^)]*\)?\)\)/, "", line)
		sub(/\/\*.*/, "", line)
		if (line ~ /=/ || !match(line, /[a-z_0-9]+\(/))
			next
		defines("static function", substr(line, RSTART, RLENGTH - 1) "()")
	}')
[ -z "$twice" ] || { echo "$twice"; bad=1; }

bash runtime/map.sh >/dev/null || bad=1
exit $bad
