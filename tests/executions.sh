#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# executions.sh - explore the programs of tests/executions with `heddle run --strategy graph`, and compare the numbers
# of executions with those in the programs' comments. TAP on stdout.
#
#     tests/executions.sh [--long] [--bench] [--rf|--traces|--files] [NAME...]    all programs, or those whose name contains one
#     B=build JOBS=2 KEEP=1            the build folder, parallel jobs, keep the working directory
#
# The table in a program's comment:
#
#     counts [CFLAG...] MODEL[,MODEL...] N [blocked M] [FINDING]
#         N complete executions that do not fail, and the exploration is complete. M: so many blocked.
#         FINDING: the kind of all failing executions (deadlock, livelock); without it, there is no finding.
#     counts-long, counts-bench        the same, only with --long, --bench: they take longer
#     counts-rf, counts-rf-bench       the same, of executions that differ in their reads-from: with
#                                      --equivalence rf and, under sc, tso and pso, --strategy rf
#     counts-unreduced                 with --unreduced
#     counts-traces                    with --strategy traces, which must not refuse the program
#     counts-symmetric                 with --symmetry always
#     counts-files                     with the twin of the model in a file, instead of the row of `counts': it has more
#                                      iterations of loops that poll, if its form does not show that they are idle
#     counts-dfs                       also the number of outcomes of --strategy dfs, if the program is compiled with
#                                      -DTAGGED (counts.h)
#
# --rf: all rows with --equivalence rf, which has at most as many executions, and the same findings. --traces: with
# --strategy traces, likewise. --files: rows of rf+co with the twin of the model, runtime/model/file/MODEL.cat; programs that
# cannot be explored so are skipped.
#
# Data races and flags of models are ignored: some programs have races, and are counted all the same.
#
# One more test for each set of flags: models that allow more have no fewer executions,
# sc <= tso <= pso and sc <= rc11, for the models in the table.

set -u
. "$(dirname "$0")/jobs.sh"
export exhaustive="--keep-going --races ignore --detect=-flag --regions 6 --time 200"
export filter='[.complete, .executions, .failing, .blocked, (.outcomes.rows | length), .strategy,
	([.findings[].kind] | unique | join(","))]' # of run.json
# the keywords of this run
export WORDS=${WORDS:-counts counts-unreduced counts-rf counts-traces counts-symmetric counts-dfs}
export RF=${RF:-} FILES=${FILES:-}

# Sets `rows`: the lines of `table' for this run, with their kind instead of the keyword.
find_rows()
{
	local word kind line words=$WORDS

	rows=()
	# Tests of predicates that fail are steps of traces
	[ "$RF" != traces ] || [[ ${table[*]} != *counts-unreduced* ]] || words="counts-unreduced counts-traces"
	for word in $words; do
		case $RF,$word in
		*,counts-symmetric | traces,counts-rf* | traces,counts-dfs) [ -z "$RF$FILES" ] || continue ;; # of graphs
		esac
		case $FILES,$word in
		1,counts-symmetric | ,counts-files) continue ;; # as data races are ignored
		esac
		case $word in
		counts-rf*) kind='rf ' ;;
		counts-files) kind='files ' ;;
		counts-traces) kind='traces ' ;;
		counts-dfs) kind='dfs -DTAGGED ' ;;
		counts-unreduced) [ "$RF" = traces ] && kind='' || kind='unreduced ' ;;
		counts-symmetric) kind='symmetric ' ;;
		*) kind='' ;;
		esac
		for line in "${table[@]}"; do
			[[ $line != "$word "* ]] || rows+=("$kind${line#"$word "}")
		done
	done
}

split_row() # sets equivalence, reduced, own, flags, models, want, blocked, finding
{
	flags='' equivalence=rf+co reduced='' own='' options="$exhaustive"
	case $1 in
	unreduced) reduced=--unreduced options="$exhaustive --regions 0" && shift ;;
	symmetric) reduced='--symmetry always' options="--regions 6 --time 200" && shift ;;
	files) own=1 && shift ;;
	rf | traces | dfs) equivalence=$1 && shift ;;
	esac
	while [ "${1#-}" != "$1" ]; do
		flags="$flags $1"
		shift
	done
	flags=${flags# } models=${1//,/ } want=${2:-} blocked='' finding=''
	shift 2
	if [ "${1:-}" = blocked ]; then
		blocked=$2
		shift 2
	fi
	finding=${1:-}
}

# Sets `program`; compiles once for each set of flags.
compile() # file, flags
{
	name_program "$1" "$2"
	[ -e "$program" ] && return 0
	# shellcheck disable=SC2086
	{ "${cc[@]}" -O1 -Wall $2 -c -o "$program.o" "$1" && link_program; } >compile.log 2>&1
}

# Sets `reason`: the differences between run.json and the row, in words.
judge() # status
{
	local facts complete executions failing rows n cut by kinds expected=0

	read_facts run.json
	[ "$facts" != "no JSON" ] || facts="false 0 0 none 0 none"
	read -r complete executions failing cut rows by kinds <<<"$facts"
	n=$executions
	[ $equivalence != dfs ] || n=$rows
	[ -z "$finding" ] || n=$((n - failing))
	reason=
	[ "$complete" = true ] || reason="not complete; "
	[ "$n" = "$want" ] || { [ -n "$RF" ] && [ $equivalence != rf ] && [ "$n" -gt 0 ] &&
		[ "$n" -lt "$want" ]; } || reason="${reason}there were $n; "
	[ "${blocked:-$cut}" = "$cut" ] || [ -n "$RF" ] || reason="${reason}there were $cut blocked; "
	[ "$kinds" = "$finding" ] || reason="${reason}found: ${kinds:-nothing}; "
	[ $equivalence != traces ] || [ "$by" = traces ] || reason="${reason}strategy $by; "
	[ -z "$finding" ] || expected=1
	[ "$1" = "$expected" ] || reason="${reason}exit code $1; "
	echo "$n $model ${RF:-$equivalence} $reduced $flags" >>found
}

# Is this the row of the model in a file: its own, or there is none?
is_own_row()
{
	local line pattern="^counts-files +${flags:+$flags }([a-z0-9,]*,)?${model}[, ]"

	[ -z "$own" ] || return 0
	for line in "${table[@]}"; do
		[[ ! $line =~ $pattern ]] || return 1
	done
}

run_row() # file, strategy
{
	local name reason status by=${RF:-$equivalence} how="--strategy $2 $reduced" as=$model

	[ "$by" = rf+co ] || [ "$by" = traces ] || [ "$2" != graph ] || how="$how --equivalence $by"
	[ "$2" = graph ] || by="strategy $2"
	name=${1##*/}
	name="${name%.c}${flags:+ $flags}${reduced:+ $reduced} $model, $by: $want${blocked:+ blocked $blocked}${finding:+ $finding}"
	if ! compile "$1" "$flags"; then
		reason=$(sed -n "s/^heddle-cc: \\(--gcc:.*understood for [^:]*\\).*/\\1/p" compile.log)
		[ -z "${TARGET:-}" ] || [ -z "$reason" ] || { ok "${name/, rf+co:/:} # skip $reason" && return; }
		not_ok "${name/, rf+co:/:}" "does not compile" compile.log
		return
	fi
	[ "$2" = graph ] || blocked=
	[ -z "$FILES" ] || as=$here/../runtime/model/file/$model.cat
	: >run.json
	# shellcheck disable=SC2086
	"$heddle" run --sleepers any --model "$as" $how $options --json run.json "$program" >run.txt 2>&1 8>&- 9<&-
	status=$?
	if [ -n "$FILES" ] && [ $status = 2 ] && grep -q '^heddle: cannot be explored under' run.txt; then
		ok "${name/, rf+co:/:} # skip $(sed -n 's/^heddle: cannot be explored under [^:]*: //p' run.txt)"
		return
	fi
	judge $status
	if [ -z "$reason" ]; then ok "${name/, rf+co:/:}"; else not_ok "${name/, rf+co:/:}" "$reason" run.txt; fi
}

check_row() # file, a row
{
	local model

	# shellcheck disable=SC2086
	split_row $2
	for model in $models; do
		if [ -n "$FILES" ]; then
			[ $equivalence != rf+co ] || [ ! -e "$here/../runtime/model/file/$model.cat" ] || ! is_own_row ||
				run_row "$1" graph
			continue
		fi
		[ $equivalence != dfs ] || { run_row "$1" dfs && continue; }
		[ $equivalence,$RF != rf+co,traces ] && [ $equivalence != traces ] || { run_row "$1" traces && continue; }
		run_row "$1" graph
		case $equivalence,$model in
		rf,sc | rf,tso | rf,pso) run_row "$1" rf ;;
		esac
	done
}

# The numbers found, one flag set a line: FLAGS|model=N ...
check_order() # file
{
	awk '{ n = $1; m = $2; $1 = $2 = ""; f[$0] = f[$0] " " m "=" n }
		END { for (i in f) print i "|" f[i] }' found | sort >order
	awk -F'|' -v program="$(basename "$1" .c)" '
		function less(a, b) { if ((a in n) && (b in n) && n[a] > n[b]) bad = bad " " a ">" b }
		{
			split("", n)
			bad = ""
			k = split($2, word, " ")
			for (i = 1; i <= k; i++) { split(word[i], w, "="); if (w[2] != "") n[w[1]] = w[2] + 0 }
			if (k < 2)
				next
			less("sc", "tso"); less("tso", "pso"); less("sc", "pso"); less("sc", "rc11")
			sub(/^ +/, "", $1)
			print (bad == "" ? "ok" : "not ok") " - " program " " $1 ": monotone" (bad ? "\n#" bad : "")
		}' order
}

# --- all of them

paths()
{
	printf '%s\n' "$here"/executions/*.c
}

check_one() # path
{
	local table rows row

	: >found
	mapfile -t table < <(sed -n 's/^ \* \(counts[-a-z]* \)/\1/p' "$1")
	[[ " ${table[*]%% *} " =~ ' counts'(-long|-bench|-rf|-unreduced)?' ' ]] || not_ok "${1##*/}" "has no table"
	find_rows
	for row in "${rows[@]}"; do
		check_row "$1" "$row"
	done
	check_order "$1"
}

while :; do
	case ${1:-} in
	--long) WORDS="$WORDS counts-long" ;;
	--bench) WORDS="$WORDS counts-bench counts-rf-bench" ;;
	--rf) RF=rf ;;
	--traces) RF=traces ;;
	--files) FILES=1 WORDS="$WORDS counts-files" ;;
	*) break ;;
	esac
	shift
done
jobs_main "$@"
