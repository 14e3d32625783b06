#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# programs.sh - compile programs with heddle-cc, explore them with `heddle run`, and compare the findings with those in
# the program's comment. TAP on stdout.
#
#     tests/programs.sh [NAME...]      all programs, or those whose path contains one of the names
#     B=build JOBS=2 KEEP=1            the build folder, parallel jobs, keep the working directory
#     TARGET=aarch64-linux-gnu         for that processor, run by HEDDLE_EMULATOR (jobs.sh)
#     COMPILER=gcc, COMPILER=clang     compile with -fsanitize=thread of these; no exact numbers
#     COMPILER=plugin                  compile by gcc with heddle's plugin; no exact numbers
#     QUICK=1                          of each program only its first model, no compiler flags
#
# examples/*.c, tests/litmus/*.c, tests/kernel/*.c, tests/real/*.c carry a table in their comments:
#
#     verdict [CFLAG...] MODEL KIND [reorder|noreorder] [complete] [-- OPTION...]
#         KIND: ok, or a finding: assertion crash exit deadlock livelock starvation loop misuse memory heap race;
#         several, with commas between them, if any of them may come first.
#         reorder, noreorder: the finding is (not) impossible under sequential consistency.
#         complete: by --strategy dfs, exhaustively.
#     executions [CFLAG...] MODEL N    exact number of complete executions, by --strategy dfs
#     options OPTION...                instead of the default ones
#     report [CFLAG...] MODEL STRING...  strings that the text report must contain: words, "quoted words",
#                                      @NAME: the FILE:LINE of the comment @NAME,
#                                      PATH~"text": the FILE:LINE of PATH that first has this text
#     cflags FLAG...                   for all of the file's compilations
#     libs FLAG...                     after the source, likewise
#
# tests/bugs/*.c have in one of the first lines
#     finding: KIND; models: MODEL...; options: OPTION...; cflags: FLAG...; reorder: yes|no
# and may have `report` lines. With `graph: MODEL...`, `dfs: MODEL...`, `random: MODEL...` these strategies must find
# the same; or they have a table as above. tests/clean/*.c may have the same without `finding`, and
#     graph: MODEL...          --strategy graph is complete there without findings; none: it cannot be
#     random: MODEL...         nor has --strategy random findings
# A clean program has no findings in 2000 random executions, nor (for races) by --strategy graph under rc11 in the time
# available; and its native output is that of the program compiled by plain cc.

set -u
. "$(dirname "$0")/jobs.sh"
default_options="--strategy mixed --executions 20000 --time 60 --max-steps 2000"
export filter='[(.findings[0] | .kind // "ok", .reorder_dependent), .complete, .executions]' # of run.json
clean_options="--strategy random --executions 2000 --time 60"
dfs_options="--strategy dfs --executions 0 --time 200"

# --- reading a program's comment

declare -A field setting
row='^[[:blank:]/]*[*]* *(verdict|executions|options|report|cflags|libs)[[:blank:]]+(.*)$'
word='(^|.*[^[:alnum:]_])(finding|models|options|cflags|reorder|graph|dfs|random): *(.*)$'

# Sets `text`: without the spaces and the end of a comment at its end.
trim() # text
{
	text=${1%"${1##*[! ]}"}
	text=${text%'*/'}
	text=${text%"${text##*[! ]}"}
}

# Sets `field`, the lines of each keyword, and `setting`, the values of `keyword: value;' in the first lines. (No
# subshell: there are hundreds of programs.)
read_comment() # file
{
	local line part parts text key n=0

	field=() setting=()
	while IFS= read -r line; do
		if [[ $line =~ $row ]]; then
			key=${BASH_REMATCH[1]}
			trim "${BASH_REMATCH[2]}"
			field[$key]+=${field[$key]:+$'\n'}$text
		fi
		((n++ < 8)) || continue
		IFS=';' read -ra parts <<<"$line"
		for part in "${parts[@]}"; do
			[[ $part =~ $word ]] || continue
			key=${BASH_REMATCH[2]}
			trim "${BASH_REMATCH[3]}"
			setting[$key]=${setting[$key]-$text}
		done
	done <"$1"
}

split_line() # sets flags, model, rest
{
	flags=
	while [ $# -gt 0 ]; do
		case $1 in
		-*) flags="$flags $1"; shift ;;
		*) break ;;
		esac
	done
	flags=${flags# }
	model=${1:-}
	shift
	rest="$*"
}

# --- compiling and running; both work in the directory of the job

# Sets `program`; compiles once for each set of flags.
compile() # file, flags
{
	name_program "$1" "$2"
	[ -e "$program" ] && return 0
	# shellcheck disable=SC2086
	if ! compile_program "$1" ${field[cflags]:-} $2 >compile.log 2>&1; then
		rm -f "$program"
		return 1
	fi
}

not_compiled() # name
{
	if [ -n "${TARGET:-}" ] && grep -q 'inline assembly not understood\|constraint\|mmintrin.h' compile.log; then
		ok "$1 # skip another processor's assembly"
	else
		not_ok "$1" "does not compile" compile.log
	fi
}

# The compiler: our own pass, gcc with the plugin or -fsanitize=thread by heddle-cc, or objects of clang's.
compile_program() # file, flags...: makes $program
{
	local file=$1 libs=${field[libs]:-}
	shift
	# shellcheck disable=SC2086
	case "${COMPILER:-} $* $libs" in
	" "*" -Wl"* | " "*" -"[!DOW]*) "${cc[@]}" -g -O1 "$@" -o "$program" "$file" -lpthread $libs ;;
	" "*) "${cc[@]}" -g -O1 "$@" -c -o "$program.o" "$file" && link_program ;;
	plugin*) "${cc[@]}" --gcc=plugin -g -O1 "$@" -o "$program" "$file" -lpthread $libs ;;
	gcc*) "${cc[@]}" --gcc=tsan -g -O1 "$@" -o "$program" "$file" -lpthread $libs ;;
	clang*) clang -g -O1 -fsanitize=thread -fno-builtin -mcx16 -mllvm -tsan-distinguish-volatile \
		-mllvm -tsan-instrument-read-before-write -I"$B/include" "$@" -c -o "$program.o" "$file" &&
		"${cc[@]}" -g -o "$program" "$program.o" -lpthread $libs ;;
	esac
}

explore() # model, options: leaves run.json, run.txt, sets status
{
	: >run.json
	# shellcheck disable=SC2086
	"$heddle" run --sleepers any --model "$1" $2 ${QUICK:+--hang 0.5} --json run.json "$program" >run.txt 2>&1 \
		8>&- 9<&-
	status=$?
}

# Sets got, the first finding's kind, "ok" when there is none, or the reason if the run has no result; and reorder,
# complete, executions.
outcome()
{
	local facts

	reorder=none complete=none executions=none
	case $status in
	0 | 1 | 3) ;;
	*) got="exit code $status" && return ;;
	esac
	read_facts run.json
	case $facts in
	"no JSON") got=$facts ;;
	*) read -r got reorder complete executions <<<"$facts" ;;
	esac
}

# Compares the last run with the expectations; sets `reason` to the differences.
judge() # kind, words: reorder noreorder complete
{
	local got reorder complete executions text

	reason=
	outcome
	read_text run.txt
	[[ $text != *bug:* ]] || reason+="$(grep -h 'bug:' run.txt) " # in Heddle itself
	case ,$1, in
	*,"$got",*) ;;
	*)
		reason+="expected $1, got $got"
		return
		;;
	esac
	case $got,$status in
	ok,0 | ok,3) ;;
	ok,* | *,[!1]*) reason+="exit code $status with outcome $got " ;;
	esac
	[[ ${text##*$'\n'} != *"(--time)"* ]] || reason+="stopped by --time: the test needs --executions "
	case " $2 " in
	*" reorder "*) [ "$reorder" = true ] || reason+="reorder_dependent is $reorder, not true " ;;
	*" noreorder "*) [ "$reorder" = false ] || reason+="reorder_dependent is $reorder, not false " ;;
	esac
	case " $2 " in
	*" complete "*) [ "$complete" = true ] || reason+="not complete" ;;
	esac
}

# --- programs with a table

# Sets `strings`: those of the report lines for a model and flags.
report_strings() # file, model, flags
{
	local file=$1 want_model=$2 want_flags=$3 line got_flags s

	strings=()
	while IFS= read -r line; do
		eval "set -- $line" # honours the quotes
		got_flags=
		while [ "${1#-}" != "$1" ]; do
			got_flags="$got_flags $1"
			shift
		done
		if [ "$1,${got_flags# }" != "$want_model,$want_flags" ]; then
			continue
		fi
		shift
		for s in "$@"; do
			case $s in
			@*) s=$(basename "$file"):$(grep -n "/\* $s \*/" "$file" | cut -d: -f1) ;;
			/*~*) s=$(basename "${s%%~*}"):$(grep -nF -m1 "${s#*~}" "${s%%~*}" | cut -d: -f1) ;;
			esac
			strings+=("$s")
		done
	done <<<"${field[report]}"
}

# Sets `missing`: the strings of its report lines that the report lacks.
find_missing() # file, model, flags
{
	local s text strings

	missing=
	[ -n "${field[report]:-}" ] || return
	report_strings "$@"
	read_text run.txt
	for s in "${strings[@]}"; do
		[[ $text = *"$s"* ]] || missing+="the report lacks: $s "
	done
}

check_run() # file, flags, model, options, finding, words, flags of its report lines; of the test $name
{
	local reason missing

	if ! compile "$1" "$2"; then
		not_compiled "$name"
		return
	fi
	explore "$3" "$4"
	judge "$5" "$6"
	find_missing "$1" "$3" "$7"
	if [ -z "$reason$missing" ]; then
		ok "$name"
	else
		not_ok "$name" "$reason $missing" run.txt
	fi
}

check_verdict() # file, a verdict line
{
	local file=$1 name kind options=$options extra=''

	# shellcheck disable=SC2086
	split_line $2
	case $rest in
	*" -- "*)
		extra=${rest#* -- }
		rest=${rest%% -- *}
		;;
	esac
	kind=${rest%% *}
	name="$called${flags:+ $flags} $model: $rest${extra:+ ($extra)}"
	case " $rest " in
	*" complete "*) options=$dfs_options ;;
	esac
	check_run "$file" "$flags" "$model" "${options:-$default_options} $extra" "$kind" "$rest" "$flags"
}

check_executions() # file, an executions line
{
	local name got reorder complete executions

	# shellcheck disable=SC2086
	split_line $2
	name="$called${flags:+ $flags} $model: $rest executions"
	if ! compile "$1" "$flags"; then
		not_compiled "$name"
		return
	fi
	explore "$model" "$dfs_options --keep-going"
	outcome
	if [ "$executions,$complete" = "$rest,true" ]; then
		ok "$name"
	else
		not_ok "$name" "there were $executions, complete: $complete" run.txt
	fi
}

check_table()
{
	local options=${field[options]:-} called=${1%.c} line # of all its lines

	called=${called#"${1%/*/*}"/}
	[ -n "${field[verdict]:-}" ] || not_ok "$1" "has no verdict"
	while IFS= read -r line <&3; do
		case ${QUICK:-}$line in
		'' | 1 | 1-*) ;;
		*) check_verdict "$1" "$line" ;;
		esac
	done 3<<<"${field[verdict]:-}"
	[ -z "${COMPILER:-}" ] || return
	while IFS= read -r line <&3; do
		[ -z "$line" ] || check_executions "$1" "$line"
	done 3<<<"${field[executions]:-}"
}

# --- bugs and clean programs

check_bug()
{
	local file=$1 kind models options flags words=

	if [ -n "${field[verdict]:-}" ]; then
		check_table "$file"
		return
	fi
	kind=${setting[finding]:-}
	models=${setting[models]:-}
	options=${setting[options]:-}
	flags=${setting[cflags]:-}
	case ${setting[reorder]:-} in
	yes) words=reorder ;;
	no) words=noreorder ;;
	esac
	[ -z "${QUICK:-}" ] || models=${models%% *}
	for model in ${models:-tso}; do
		name="bugs/$base $model: $kind"
		if [ -z "$kind" ]; then
			not_ok "$name" "says no finding"
		else
			check_run "$file" "$flags" "$model" "${options:-$default_options}" "$kind" "$words" ""
		fi
	done
	[ -n "${QUICK:-}${COMPILER:-}" ] || check_strategies "$file" "$kind" "${options:-$default_options}"
}

# The same by each strategy in the comment.
check_strategies() # file, kind, options
{
	local strategy model name reason

	for strategy in graph dfs random; do
		for model in ${setting[$strategy]:-}; do
			name="bugs/$base $model: $2, by $strategy"
			explore "$model" "$3 --strategy $strategy"
			judge "$2" ""
			if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
		done
	done
}

# A program's native behaviour must not depend on the compiler.
check_native() # file, flags
{
	local name plain=${TARGET:+clang --target=$TARGET}

	plain=${plain:-cc} name="clean/$base $2: native"
	if ! compile "$1" "$2"; then
		not_compiled "$name"
		return
	fi
	# shellcheck disable=SC2086
	$plain -g ${field[cflags]:-} $2 -w -o reference "$1" -lpthread ${field[libs]:-} -lm -latomic \
		2>compile.log || { not_ok "$name" "plain cc fails" compile.log; return; }
	# shellcheck disable=SC2086
	timeout 100 ${TARGET:+$HEDDLE_EMULATOR} ./reference >reference.out 2>&1 8>&- 9<&-
	echo "exit $?" >>reference.out
	# shellcheck disable=SC2086
	timeout 100 ${TARGET:+$HEDDLE_EMULATOR} "$program" >native.out 2>&1 8>&- 9<&-
	echo "exit $?" >>native.out
	if cmp -s reference.out native.out; then
		ok "$name"
	else
		diff reference.out native.out >native.diff
		not_ok "$name" "differs from plain cc" native.diff
	fi
}

check_clean()
{
	local file=$1 flags name reason options graphs

	flags=${setting[cflags]:-}
	options=${setting[options]:-}
	[ -n "${COMPILER:-}" ] || check_native "$file" "${flags:+$flags }-O2"
	for variant in "-O0 tso" "-O2 tso" "-O2 pso"; do
		name="clean/$base $variant"
		if ! compile "$file" "${flags:+$flags }${variant% *}"; then
			not_compiled "$name"
			continue
		fi
		explore "${variant#* }" "${options:-$clean_options}"
		judge ok ""
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	compile "$file" "${flags:+$flags }-O2" || return
	graphs=${setting[graph]:-}
	for model in ${graphs%none}; do
		name="clean/$base $model: graph"
		explore "$model" "--strategy graph --time 200"
		judge ok complete
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	for model in ${setting[random]:-}; do
		name="clean/$base $model: random"
		explore "$model" "$clean_options"
		judge ok ""
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	case " $graphs " in
	*" rc11 "* | *" none "*) ;;
	*)
		name="clean/$base rc11: no race"
		explore rc11 "--strategy graph --executions 1000 --time 60"
		judge ok ""
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
		;;
	esac
}

# A program without changes for Heddle, with its own Makefile.
check_make() # directory
{
	local name program model kind words

	name="real/$base"
	cp -r "$1"/. .
	if ! make CC="${cc[*]}" >compile.log 2>&1; then
		not_ok "$name: make CC=heddle-cc" "fails" compile.log
		return
	fi
	ok "$name: make CC=heddle-cc"
	if make check CC="${cc[*]}" >compile.log 2>&1; then
		ok "$name: make check runs natively"
	else
		not_ok "$name: make check runs natively" "fails" compile.log
	fi
	while read -r program model kind words <&3; do
		explore "$model" "$default_options"
		judge "$kind" "$words"
		if [ -z "$reason" ]; then
			ok "$name: $program $model: $kind"
		else
			not_ok "$name: $program $model: $kind" "$reason" run.txt
		fi
	done 3<verdicts
}

# --- all of them

check_one() # path
{
	base=${1##*/} base=${base%.c}
	[ -d "$1" ] || read_comment "$1"
	case $1 in
	*/bugs/*.c) check_bug "$1" ;;
	*/clean/*.c) check_clean "$1" ;;
	*.c) check_table "$1" ;;
	*) check_make "$1" ;;
	esac
}

paths()
{
	local path

	for path in "$top"/examples/*.c "$here"/litmus/*.c "$here"/kernel/*.c "$here"/clean/*.c "$here"/bugs/*.c \
		"$here"/real/*.c "$here"/real/*/; do
		[ ! -e "$path" ] || echo "${path%/}"
	done
}

jobs_main "$@"
