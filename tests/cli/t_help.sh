# SPDX-License-Identifier: ISC
# t_help.sh - the manual: a page for every detector with an example of its report; pages of other topics, whose
# console blocks show the output of their commands.
#
# A detector's page ends in "Example:  FILE OPTION..." and lines of the report of `heddle run OPTION... FILE`, in their
# order, "..." for any others.
. "$(dirname "$0")/lib.sh"
. "$here/blocks.sh"
export PATH=$B/bin:$PATH

top=$(cd "$here/../.." && pwd)
ln -s "$top/tests" tests
"$heddle" help run | sed -n '/^Detectors/,/^  heddle help/s/^  \([a-z-]*\)  .*\[\(on\|off\)\]$/\1/p' >detectors
[ "$(wc -l <detectors)" -ge 8 ] && pass "help run lists the detectors" || fail "help run lists the detectors" "$(cat detectors)"
t "help run" 0 "$heddle" help run
for name in weak-cas preemptions; do
	has "help run: the default of --$name is no bound" out "^  --$name N .* \\[any\\]$"
done
while read -r name; do
	[ -e "$top/tools/help/$name.txt" ] && pass "$name has a page" || fail "$name has a page" "no tools/help/$name.txt"
done <detectors

# The lines of `wanted` occur in `got` in this order.
in_order() {
	awk 'NR == FNR { want[++n] = $0; next }
		FNR == 1 { i = 1 }
		want[i] == "..." { i++ }
		$0 == want[i] { i++ }
		END { if (i <= n) { print "not printed: " want[i]; exit 1 } }' wanted got
}

# Every model has a row on its page.
for model in $("$heddle" run --model ? x 2>&1 | sed -n 's/.*wanted \(.*\), or auto.*/\1/p' | tr -d ,); do
	grep -q "^$model  " "$top/tools/help/models.txt" && pass "models: $model" || fail "models: $model" "no row"
done

# Each page is mentioned by README or another page.
named() {
	cat "$top/README.md" "$top"/tools/help/*.txt | tr -s '\n ' '  ' | grep -qE "heddle help $1([^a-z-]|\$)" ||
		fail "$1: README or another page names it" "no"
}

# In a folder of their own: sources in a page (indented, the first line a comment that names the file), then the blocks.
page_blocks() {
	mkdir "$scratch/$1.d" && cd "$scratch/$1.d" || exit 2
	ln -s "$top/examples" examples
	ln -s "$top/tests" tests
	awk '/^    (\/\*|\(\*) [a-z_]+\.(c|cat|kat) \*[\/)]$/ {file = $2} /^[^ ]/ || /^    \$ / {file = ""}
		file != "" {print substr($0, 5) > file}' "$scratch/shown"
	awk '/^    \$ / && !on {on = 1; n++} on && /^[^ ]/ {on = 0}
		on {blank = $0 == "" ? blank "\n" : blank; if ($0 != "") {printf "%s%s\n", blank, substr($0, 5) > ("block." n); blank = ""}}
		!on {blank = ""}' "$scratch/shown"
	compare_blocks "$1"
	cd "$scratch" || exit 2
}

# Of MPI's launchers, where they are installed (t_mpi.sh: what else is needed).
. "$here/mpi.sh"

for page in "$top"/tools/help/*.txt; do
	name=$(basename "$page" .txt)
	"$heddle" help "$name" >shown
	same "help $name prints its page" "$page" shown
	awk "/^    /{next} length > 120 {exit 1}" shown && pass "$name: fits into 120 columns" ||
		fail "$name: fits into 120 columns" "$(awk 'length > 120' shown)"
	if ! grep -q '^Finds:' shown; then
		head -1 shown | grep -qE "^$name - " && pass "$name: says what it is" || fail "$name: says what it is" "$(head -1 shown)"
		named "$name"
		if [ "$name" = machines ] && [ -z "$launchers" ]; then
			pass "$name: blocks # SKIP no MPI with which heddle was built"
			continue
		fi
		page_blocks "$name"
		continue
	fi
	head -1 shown | grep -qE "^$name - .* (on|off|always on|by default)" && pass "$name: says what it is, and if it is on" ||
		fail "$name: says what it is, and if it is on" "$(head -1 shown)"
	for part in Finds: "Does not:" Switch: Cost: Report: Example:; do
		grep -q "^$part" shown || fail "$name: $part" "missing"
	done
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^Example: *//p' shown)
	file=$1
	shift
	(cd "$(dirname "$top/$file")" && "$cc" -g -O1 -o "$scratch/$name" "$(basename "$file")" -lpthread) 2>build.log ||
		fail "$name: its example compiles" "$(cat build.log)"
	"$heddle" run "$@" "./$name" 2>&1 | sed "s|$top/tests/bugs/||g; s|$top/||g" >got
	sed -n '/^Example:/,$p' shown | sed -n 's/^    //p' >wanted
	if why=$(in_order); then pass "$name: example"; else fail "$name: example" "$why
$(cat got)"; fi
done
finish
