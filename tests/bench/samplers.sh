#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/samplers.sh - how soon do samplers find bugs of weak memory? Executions to the first finding, the median of many
# seeds.
#
#   B=build tests/bench/samplers.sh [PATTERN...]      all programs, or those whose NAME.MODEL is a PATTERN
#   SEEDS=30 MOST=5000                                seeds, and executions of each
#   SAMPLERS="random pctwm,3,2"                        these columns: random, pct,DEPTH, pctwm,DEPTH,HISTORY, ...
#
# Programs: bugs of tests/bugs, examples/ and tests/scale; those of tests/executions with all their atomic accesses
# relaxed (NAME/relaxed), and those of tests/relax, with the orders of the literature, and one of them relaxed
# (NAME/1, NAME/2 ...), without races, if --strategy graph then finds a failure. pctwm is by graphs of the model, so is
# random under rc11, pct is by schedules, under pso for rc11. ">": at least half of the seeds have no finding. The last
# rows count the programs that are found by most of the seeds, and have the geometric mean of medians, where ">" counts
# as MOST. Some of the rows are in tools/help/strategies.txt, where cli/t_samplers.sh compares them.
set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
seeds=${SEEDS:-30} most=${MOST:-5000}
read -ra samplers <<<"${SAMPLERS:-random pct,3 pctwm,2,2 pctwm,3,2 pctwm,4,2 pctwm,4,4 pctwm,6,4}"
patterns=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
: >medians

table() { # name, model, source, flags
	cat <<-'END'
		publication     rc11 tests/bugs/race_publication
		publish         rc11 examples/publish -DATOMIC
		parker          rc11 tests/bugs/parker
		poll            rc11 tests/bugs/poll_overwritten
		double_checked  rc11 tests/bugs/race_double_checked
		halves          rc11 tests/bugs/race_ticket_halves
		rmw             rc11 tests/bugs/race_rmw
		acquire         rc11 tests/bugs/race_acquire_missing
		wake-up         rc11 tests/bugs/lost_wakeup
		heap            rc11 tests/bugs/heap_publication
		sleeping        rc11 tests/bugs/sleeping_cleaner
		references      pso  tests/bugs/reference_count
		bakery          rc11 examples/bakery
		burns           rc11 examples/burns
		dekker          rc11 examples/dekker
		dijkstra        rc11 examples/dijkstra
		lamport         rc11 examples/lamport_fast
		szymanski       rc11 examples/szymanski
		peterson        rc11 examples/peterson
		seqlock         rc11 examples/seqlock -DBUG
		mcs_lock        rc11 examples/mcs_lock -DBUG
		spsc_ring       rc11 examples/spsc_ring -DBUG
		ms_queue        rc11 examples/ms_queue -DSLEEP -DBUG
		chase_lev       rc11 examples/chase_lev -DBUG
		chase_push      rc11 examples/chase_lev -DBUG_PUSH
		ring            rc11 examples/lin_ring
		account         rc11 tests/scale/shapes -DSHAPE=account
		reorder         rc11 tests/scale/shapes -DSHAPE=reorder
		token_ring      rc11 tests/scale/shapes -DSHAPE=token_ring
		philosophers    rc11 tests/scale/shapes -DSHAPE=philosophers
		wrong_lock      rc11 tests/scale/shapes -DSHAPE=wrong_lock
		aba             rc11 tests/scale/shapes -DSHAPE=aba
		wheel           rc11 tests/scale/wheel -DWRONG
		pool            rc11 tests/scale/pool -DWRONG
		bakery          tso  examples/bakery
		lamport         tso  examples/lamport_fast
		szymanski       tso  examples/szymanski
		seqlock         pso  examples/seqlock -DBUG
		ms_queue        tso  examples/ms_queue -DSLEEP -DBUG
		chase_lev       tso  examples/chase_lev -DBUG
		chase_push      pso  examples/chase_lev -DBUG_PUSH
	END
}

relaxed="chase_lev,-DP=2,-DT=1,-DS=2,-DK=1 spsc_ring,-DN=3 clhlock,-DN=3 mcs_spinlock,-DN=3 ttaslock,-DN=3 twalock,-DN=3
	ticketlock,-DN=3 peterson,-DL=2 dekker_f,-DL=2 szymanski,-DL=1 rwlock_bits,-DR=2,-DW=1 barrier_spin,-DN=3
	refcount,-DN=3 lamport,-DN=3 bakery,-DN=2"

# build NAME SOURCE FLAG...: false: it cannot be compiled alone
build() { "$B/bin/heddle-cc" -g -O1 "${@:3}" -o "$1" "$top/$2.c" -lpthread >build.log 2>&1; }

# sites PROGRAM: its atomic accesses, one a line
sites() {
	HEDDLE_OPTIONS=explore,sites=sites timeout 20 "./$1" >out 2>&1 || true
	grep -v ' plain ' sites
}

# executions MODEL SAMPLER SEED OPTION...: to the first finding, or MOST
executions() {
	local model=$1 seed=$3 strategy depth history
	IFS=, read -r strategy depth history <<<"$2"
	if [ "$strategy" = pct ]; then
		case $model in rc11 | ra | sra) model=pso ;; esac
	fi
	"$B/bin/heddle" run -q --json run.json --minimise 0 --time 20 --model "$model" --strategy "$strategy" \
		--seed "$seed" --executions "$most" ${depth:+--depth "$depth"} ${history:+--history "$history"} \
		"${@:4}" >out 2>&1 || true
	jq -r --argjson most "$most" 'if .findings == [] then $most else .executions + .blocked end' run.json 2>/dev/null ||
		echo "$most"
}

median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# row NAME MODEL OPTION...
row() {
	local name=$1 model=$2 sampler m
	shift 2
	printf '%-20s %-4s' "$name" "$model"
	for sampler in "${samplers[@]}"; do
		m=$(for ((i = 1; i <= seeds; i++)); do executions "$model" "$sampler" "$i" "$@"; done | median)
		echo "$sampler $m" >>medians
		[ "$m" -lt "$most" ] || m=">"
		printf '%11s' "$m"
	done
	echo
}

wanted() {
	[ ${#patterns[@]} = 0 ] && return 0
	# shellcheck disable=SC2053
	for n in "${patterns[@]}"; do [[ $1 == $n ]] && return 0; done
	return 1
}

weak=(--orders orders --races ignore)

# Does --strategy graph find a failure of it?
fails() {
	timeout 30 "$B/bin/heddle" run -q --time 10 --minimise 0 "$@" >out 2>&1
	[ $? = 1 ]
}

printf '%-25s' program
printf '%11s' "${samplers[@]}"
echo
while read -r name model source flags; do
	wanted "$name.$model" || continue
	# shellcheck disable=SC2086
	build program "$source" $flags && row "$name" "$model" ./program
done < <(table)
for row in $relaxed; do
	IFS=, read -r name flags <<<"$row"
	wanted "$name/relaxed.rc11" || continue
	# shellcheck disable=SC2086
	build program "tests/executions/$name" ${flags//,/ } || continue
	sites program | awk '{print $1, "order=relaxed"}' >orders
	fails "${weak[@]}" ./program && row "$name/relaxed" rc11 "${weak[@]}" ./program
done
for name in chase_lev mcs msqueue ticket treiber; do
	wanted "$name/1.rc11" || continue
	build program "tests/relax/$name" -DPUBLISHED || continue
	n=0
	while read -r site _ order _; do
		[ "$order" != relaxed ] || continue
		echo "$site order=relaxed" >orders
		fails "${weak[@]}" ./program && row "$name/$((++n))" rc11 "${weak[@]}" ./program
	done < <(sites program)
done
printf '%-25s' "found by most seeds"
for sampler in "${samplers[@]}"; do
	awk -v s="$sampler" -v most="$most" '$1 == s {n += $2 < most} END {printf "%11d", n}' medians
done
echo
printf '%-25s' "geometric mean"
for sampler in "${samplers[@]}"; do
	awk -v s="$sampler" '$1 == s {n++; sum += log($2)} END {printf "%11.0f", exp(sum / n)}' medians
done
echo
