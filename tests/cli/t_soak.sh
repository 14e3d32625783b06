# SPDX-License-Identifier: ISC
# t_soak.sh - a repeated search has the same results; and tests/soak, small.
. "$(dirname "$0")/lib.sh"

compile sb examples/sb.c -DFENCED_X
compile ms_queue examples/ms_queue.c
compile seqlock examples/seqlock.c

# All output without times: text, document, replay files.
output_of() { # FOLDER COMMAND...
	local folder=$1
	shift
	rm -f ./*.heddle
	"$heddle" run --time 0 --json document "$@" >words 2>&1
	echo "exit code $?" >>words
	sed -E -i 's/, [0-9.]+ s$/, N s/' words
	sed -E -i 's/("(seconds|started)": )[^,]*/\1N/' document
	case " $* " in # the number of native runs depends on the distribution of work
	*" -j "*) sed -E -i 's/("steps": )[0-9]+/\1N/' document ;;
	esac
	mkdir -p "$folder"
	mv words document "$folder"
	mv ./*.heddle "$folder" 2>/dev/null
}

# twice TITLE COMMAND...
twice() {
	local title=$1
	shift
	rm -rf first second
	output_of first "$@"
	output_of second "$@"
	if diff -ru first second >differs; then pass "twice: $title"; else fail "twice: $title" "$(cat differs)"; fi
}

some="--minimise 0 --keep-going --executions 3000"
for program in sb ms_queue seqlock; do
	for strategy in random pct dfs mixed graph rf; do
		twice "$program, tso, $strategy" $some --model tso --strategy $strategy ./$program
	done
	twice "$program, rc11, graph" $some --strategy graph ./$program
	twice "$program, rc11, rf" $some --equivalence rf ./$program
	twice "$program, rc11, random" $some --strategy random ./$program
done
for seed in 2 3; do
	twice "sb, random, seed $seed" $some --model tso --strategy random --seed $seed ./sb
	mv first "seed$seed"
done
diff -q seed2/document seed3/document >differs
if [ -s differs ]; then pass "another seed: another search"; else fail "another seed: another search" "the same document"; fi
twice "a minimised failure" --model tso ./sb
compile readers tests/executions/readers.c -DN=13
twice "two workers" --races ignore -j 2 ./readers # the order of findings is not defined

while read -r line; do
	case $line in
	ok*) pass "soak:${line#ok -}" ;;
	"not ok"*) fail "soak:${line#not ok -}" "$(cat soak)" ;;
	esac
done < <(SOAK=$([ -n "${LONG:-}" ] && echo 1e6 || echo 2e5) B=$B "$here/../soak/run.sh" 2>&1 | tee soak)
finish
