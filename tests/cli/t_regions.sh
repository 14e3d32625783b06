# SPDX-License-Identifier: ISC
# t_regions.sh - findings in programs with arrays, which graphs have as regions: reports and replays are those of a
# search with an event for each access.
. "$(dirname "$0")/lib.sh"

compile late tests/cli/regions.c
compile early tests/cli/regions.c -DEARLY

same_report() # PROGRAM MODEL OPTION...
{
	local program=$1 model=$2 n
	shift 2

	for n in 0 6; do
		t "$program, $model: found, --regions $n" 1 "$heddle" run --model "$model" --strategy graph \
			--regions $n "$@" "./$program"
		sed -E 's/, [0-9.]+ s$//; s/[0-9.]+ seconds//' out >"out.$n"
	done
	t "$program, $model: the same report" 0 diff out.0 out.6
}

same_report late rc11
same_report late tso --equivalence rf
t "two processes find it" 1 "$heddle" run --model sc --strategy graph --regions 6 -j 2 ./late
same_report early sc
same_report early rc11 --keep-going
has "the access after free() is shown" out.6 "^FAILED  use after free: .* loads block"
for model in pso rc11; do
	repeats late $model --strategy graph --regions 6
	repeats early $model --strategy graph --regions 6
done
finish
