# SPDX-License-Identifier: ISC
# t_symmetry.sh - --symmetry: the last line, JSON, findings and replays; where it does not apply.
. "$(dirname "$0")/lib.sh"

compile right tests/cli/twins.c
compile wrong tests/cli/twins.c -DOPENS

compile many tests/cli/twins.c -DTHREADS=8
compile many_wrong tests/cli/twins.c -DTHREADS=8 -DOPENS

t "threads that do the same" 0 "$heddle" run --symmetry always ./right
has "one order of them" out "graph, 1 execution up to names of threads, complete, 0 failing"
t "by default, few executions" 0 "$heddle" run ./right
has "all orders" out "graph, 6 executions, complete, 0 failing"
t "by default, many" 0 "$heddle" run ./many
has "one order of them" out "graph, 1 execution up to names of threads, complete, 0 failing"
for options in "--strategy graph" "--symmetry never" "--unreduced"; do
	# shellcheck disable=SC2086
	t "many, $options" 0 "$heddle" run $options ./many
	has "all orders, $options" out "graph, 40320 executions, complete, 0 failing"
done
t "many, which the creator knows apart" 1 "$heddle" run ./many_wrong
has "the assertion, too" out "assertion \`open_' failed"
t "in several processes" 0 "$heddle" run --symmetry always --strategy graph -j 2 ./right
has "the same" out "graph, 1 execution up to names of threads, complete, 0 failing"
"$heddle" run --symmetry always --json run.json ./right >out 2>&1
holds "JSON" run.json '.symmetric and .complete and .executions == 1'
"$heddle" run --symmetry never --json run.json ./right >out 2>&1
holds "never" run.json '(.symmetric | not) and .executions == 6'
t "the creator knows them apart" 1 "$heddle" run --symmetry always ./wrong
has "the assertion" out "assertion \`open_' failed"
t "its replay" 1 "$heddle" replay wrong.heddle
for option in --unreduced --keep-going "--equivalence rf" "--checkpoint left"; do
	# shellcheck disable=SC2086
	refused "always, $option" "--symmetry always: not with" "$heddle" run --symmetry always $option ./right
done
for model in arm8 "$B/share/heddle/models/tso.cat"; do
	refused "always, $(basename "$model")" "--symmetry always: not under models of hardware" \
		"$heddle" run --symmetry always --deps none --model "$model" ./right
done
t "races are ignored" 0 "$heddle" run --symmetry always --races ignore ./right
has "one order of them, too" out "graph, 1 execution up to names of threads, complete"
refused "traces, --unreduced" "--unreduced: not with --strategy traces" \
	"$heddle" run --strategy traces --unreduced ./right
refused "regions, --unreduced" "--unreduced: not with --regions" "$heddle" run --regions 6 --unreduced ./right
finish
