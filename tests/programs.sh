#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# programs.sh - compile programs with heddle-cc, explore them with `heddle run`, and compare the findings with those in
# the program's comment. TAP on stdout.
#
#     tests/programs.sh [NAME...]      all programs, or those whose path contains one of the names
#     B=build JOBS=2 KEEP=1            the build folder, parallel jobs, keep the working directory
#     COMPILER=gcc, COMPILER=clang     compile with -fsanitize=thread of these; no exact numbers
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
clean_options="--strategy random --executions 2000 --time 60"
dfs_options="--strategy dfs --executions 0 --time 200"

# --- reading a program's comment

field() # keyword, file: the text of its lines, without the comment's stars
{
	sed -n "s/^[ \t/]*\** *$1[ \t][ \t]*\(.*\)/\1/p" "$2" | sed 's/ *\*\/ *$//'
}

setting() # keyword, file: the value of `keyword: value;` in the first lines
{
	sed -n '1,8p' "$2" | tr ';' '\n' | sed -n "s/.*\b$1: *\(.*\)/\1/p" | sed 's/ *\*\/ *$//' | head -n 1
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
	# shellcheck disable=SC2046,SC2086
	if ! compile_program "$1" $(field cflags "$1") $2 >compile.log 2>&1; then
		rm -f "$program"
		return 1
	fi
}

# The compiler: our own pass, gcc's -fsanitize=thread by heddle-cc, or objects of clang's.
compile_program() # file, flags...: makes $program
{
	local file=$1 libs
	libs=$(field libs "$1")
	shift
	# shellcheck disable=SC2046,SC2086
	case "${COMPILER:-} $* $libs" in
	" "*" -Wl"* | " "*" -"[!DOW]*) timeout 300 "$cc" -g -O1 "$@" -o "$program" "$file" -lpthread $libs ;;
	" "*) timeout 300 "$cc" -g -O1 "$@" -c -o "$program.o" "$file" && link_program ;;
	gcc*) timeout 300 "$cc" --gcc -g -O1 "$@" -o "$program" "$file" -lpthread $libs ;;
	clang*) timeout 300 clang -g -O1 -fsanitize=thread -fno-builtin -mcx16 -mllvm -tsan-distinguish-volatile \
		-mllvm -tsan-instrument-read-before-write -I"$B/include" "$@" -c -o "$program.o" "$file" &&
		"$cc" -g -o "$program" "$program.o" -lpthread $libs ;;
	esac
}

explore() # model, options: leaves run.json, run.txt, sets status
{
	rm -f run.json run.txt
	# shellcheck disable=SC2086
	timeout 300 "$heddle" run --sleepers any --model "$1" $2 ${QUICK:+--hang 0.5} --json run.json "$program" >run.txt 2>&1
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
	124) got="timeout of the test" && return ;;
	*) got="exit code $status" && return ;;
	esac
	read_facts run.json '[(.findings[0] | .kind // "ok", .reorder_dependent), .complete, .executions] | map(tostring) | join(" ")'
	case $facts in
	"no JSON") got=$facts ;;
	*) read -r got reorder complete executions <<<"$facts" ;;
	esac
}

# Compares the last run with the expectations; prints the differences.
judge() # kind, words: reorder noreorder complete
{
	local got reorder complete executions

	outcome
	grep -h 'bug:' run.txt # in Heddle itself
	case ,$1, in
	*,"$got",*) ;;
	*)
		echo "expected $1, got $got"
		return
		;;
	esac
	case $got,$status in
	ok,0 | ok,3) ;;
	ok,* | *,[!1]*) echo "exit code $status with outcome $got" ;;
	esac
	! tail -n 1 run.txt | grep -qF '(--time)' || echo "stopped by --time: the test needs --executions"
	case " $2 " in
	*" reorder "*) [ "$reorder" = true ] || echo "reorder_dependent is $reorder, not true" ;;
	*" noreorder "*) [ "$reorder" = false ] || echo "reorder_dependent is $reorder, not false" ;;
	esac
	case " $2 " in
	*" complete "*) [ "$complete" = true ] || echo "not complete" ;;
	esac
}

# --- programs with a table

report_strings() # file, model, flags: one a line
{
	local file=$1 want_model=$2 want_flags=$3 line got_flags s

	field report "$file" | while read -r line; do
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
			printf '%s\n' "$s"
		done
	done
}

lacking() # file, model, flags: strings of its report lines that the report lacks
{
	local s

	[[ $(<"$1") =~ [[:space:]*/]report[[:space:]] ]] || return
	report_strings "$@" | while read -r s; do
		grep -qF -- "$s" run.txt || echo "the report lacks: $s"
	done
}

check_run() # file, flags, model, options, finding, words, flags of its report lines; of the test $name
{
	local reason missing

	if ! compile "$1" "$2"; then
		not_ok "$name" "does not compile" compile.log
		return
	fi
	explore "$3" "$4"
	reason=$(judge "$5" "$6")
	missing=$(lacking "$1" "$3" "$7")
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
		not_ok "$name" "does not compile" compile.log
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
	local options called=${1%.c} # of all its lines

	options=$(field options "$1")
	called=${called#"${1%/*/*}"/}
	field verdict "$1" >verdicts
	if ! [ -s verdicts ]; then
		not_ok "$1" "has no verdict"
	fi
	while read -r line <&3; do
		case ${QUICK:-}$line in
		1-*) ;;
		*) check_verdict "$1" "$line" ;;
		esac
	done 3<verdicts
	: >counts
	[ -n "${COMPILER:-}" ] || field executions "$1" >counts
	while read -r line <&3; do
		check_executions "$1" "$line"
	done 3<counts
}

# --- bugs and clean programs

check_bug()
{
	local file=$1 kind models options flags words=

	if [ -n "$(field verdict "$file")" ]; then
		check_table "$file"
		return
	fi
	kind=$(setting finding "$file")
	models=$(setting models "$file")
	options=$(setting options "$file")
	flags=$(setting cflags "$file")
	case $(setting reorder "$file") in
	yes) words=reorder ;;
	no) words=noreorder ;;
	esac
	[ -z "${QUICK:-}" ] || models=${models%% *}
	for model in ${models:-tso}; do
		name="bugs/$(basename "$file" .c) $model: $kind"
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
		for model in $(setting $strategy "$1"); do
			name="bugs/$(basename "$1" .c) $model: $2, by $strategy"
			explore "$model" "$3 --strategy $strategy"
			reason=$(judge "$2" "")
			if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
		done
	done
}

# A program's native behaviour must not depend on the compiler.
check_native() # file, flags
{
	local name

	name="clean/$(basename "$1" .c) $2: native"
	if ! compile "$1" "$2"; then
		not_ok "$name" "does not compile" compile.log
		return
	fi
	# shellcheck disable=SC2046,SC2086
	cc -g $(field cflags "$1") $2 -w -o reference "$1" -lpthread $(field libs "$1") -lm -latomic \
		2>compile.log || { not_ok "$name" "plain cc fails" compile.log; return; }
	timeout 100 ./reference >reference.out 2>&1
	echo "exit $?" >>reference.out
	timeout 100 "$program" >native.out 2>&1
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

	flags=$(setting cflags "$file")
	options=$(setting options "$file")
	[ -n "${COMPILER:-}" ] || check_native "$file" "${flags:+$flags }-O2"
	for variant in "-O0 tso" "-O2 tso" "-O2 pso"; do
		name="clean/$(basename "$file" .c) $variant"
		if ! compile "$file" "${flags:+$flags }${variant% *}"; then
			not_ok "$name" "does not compile" compile.log
			continue
		fi
		explore "${variant#* }" "${options:-$clean_options}"
		reason=$(judge ok "")
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	compile "$file" "${flags:+$flags }-O2" || return
	graphs=$(setting graph "$file")
	for model in ${graphs%none}; do
		name="clean/$(basename "$file" .c) $model: graph"
		explore "$model" "--strategy graph --time 200"
		reason=$(judge ok complete)
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	for model in $(setting random "$file"); do
		name="clean/$(basename "$file" .c) $model: random"
		explore "$model" "$clean_options"
		reason=$(judge ok "")
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
	done
	case " $graphs " in
	*" rc11 "* | *" none "*) ;;
	*)
		name="clean/$(basename "$file" .c) rc11: no race"
		explore rc11 "--strategy graph --executions 1000 --time 60"
		reason=$(judge ok "")
		if [ -z "$reason" ]; then ok "$name"; else not_ok "$name" "$reason" run.txt; fi
		;;
	esac
}

# A program without changes for Heddle, with its own Makefile.
check_make() # directory
{
	local name program model kind words

	name="real/$(basename "$1")"
	cp -r "$1"/. .
	if ! make CC="$cc" >compile.log 2>&1; then
		not_ok "$name: make CC=heddle-cc" "fails" compile.log
		return
	fi
	ok "$name: make CC=heddle-cc"
	if make check CC="$cc" >compile.log 2>&1; then
		ok "$name: make check runs natively"
	else
		not_ok "$name: make check runs natively" "fails" compile.log
	fi
	while read -r program model kind words <&3; do
		explore "$model" "$default_options"
		reason=$(judge "$kind" "$words")
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
