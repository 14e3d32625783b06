# SPDX-License-Identifier: ISC
#
# t_report.sh - the exact text and the JSON of fixed traces. BLESS=1 rewrites the expected files (report.txt,
# columns.txt): review the diff before committing it.
. "$(dirname "$0")/lib.sh"

# Append the last line of a trace.
sign() {
	cat "$1" - <<-END >"$2"
		end records=$(wc -l <"$1") crc=0x$(gzip -c "$1" | tail -c 8 | od -An -tx4 -N4 | tr -d ' ')
	END
}

golden() {
	[ -z "$BLESS" ] || cp out "$here/$2"
	same "$1" "$here/$2" out
}

sign "$here/report.trace" fixed.heddle
t "fixed trace" 0 "$heddle" report fixed.heddle
golden "fixed trace: text" report.txt
t "columns" 0 "$heddle" report --columns --width 150 fixed.heddle
golden "columns: text" columns.txt
t "colour" 0 "$heddle" report --color=always fixed.heddle
sed 's/\x1b\[[0-9;]*m//g' out >plain
same "colour changes nothing else" "$here/report.txt" plain
has "the program's escapes do not reach the terminal" out '\\x1b\[31mred'

t "JSON" 0 "$heddle" report --json - fixed.heddle
holds "JSON: the run" out '.executions == null and .complete == null and .model == "pso"'
finding() { holds "JSON: $1" out ".findings[0] | $2"; }
finding "the finding" '.kind == "assertion" and .reorder_dependent and .step == 14 and .execution == 7 and .thread == 2'
finding "its place" '.file == "/nowhere/demo.c" and .line == 99 and .function == "check" and .replay == "fixed.heddle"'
finding "steps" '.steps | length == 14 and .[2].flags == ["buffered"] and .[2].value == "0x2a" and
	.[4].store == 4 and .[8].old == "0x1" and .[6].from == 4'
finding "a stack" '.steps[7].stack[1] | .offset == "0x1331" and .module == "/nowhere/demo"'
finding "reordered" '.reordered == [{store: 3, overtaken_by: 4}]'
finding "why: the cycle" '[.why.cycle[] | .step, .relation] == [3, "po", 4, "rf", 7, "po", 8, "fr"]'
finding "why: reorderings" '[.why.reorderings[] | .first, .later, (.text | contains("became visible before"))] == [3, 4, true]'
finding "why: fences" '[.why.fences[] | .step, .where, .order] == [4, "before", "release"]'
finding "why: no orders" '.why.orders == [] and .why.unsynchronised == [] and .minimised == null'
finding "waits" '.waits[1] | .holder == 2 and .kind == "lock"'
finding "blocks" '.blocks[0] | .size == 32 and .address == "0x200000000040"'
finding "output" '[.output[] | select(.fd == 1).text] | add | startswith("half a line and")'

# A long execution is shown in part: the steps that matter, and their neighbours.
{
	grep -vE '^(event|cycle)' "$here/report.trace" | sed 's/step=14/step=500/'
	for step in {1..499}; do
		printf 'event step=%d thread=%d kind=load place=1 size=4 value=0x%x stack=5\n' $step $((1 + step % 2)) $step
	done
	echo 'event step=500 thread=2 kind=fail stack=6'
	echo 'cycle from=100 to=102 relation=po'
} >long.trace
sign long.trace long.heddle
t "long" 0 "$heddle" report long.heddle
has "long: steps are omitted" out '^ +\.\.\.  97 steps omitted, --all shows them$'
has "long: the cycle is there" out '^ +100  T1 \(sender\)'
has "long: what failed is there" out '^ +500  T2 .* fails: it broke'
[ "$(grep -cE '^ +[0-9]+  T[12] ' out)" -lt 30 ] && pass "long: short" || fail "long: short" "$(cat out)"
t "long, --all" 0 "$heddle" report --all long.heddle
[ "$(grep -cE '^ +[0-9]+  T[12] ' out)" = 500 ] && pass "--all: every step" || fail "--all: every step" "$(wc -l out)"
finish
