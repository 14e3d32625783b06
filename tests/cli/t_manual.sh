# SPDX-License-Identifier: ISC
# t_manual.sh - the manual pages have all commands, options and functions, and are fit for man; completion.
. "$(dirname "$0")/lib.sh"

# The words of a page as shown by man.
shown() {
	if command -v groff >/dev/null; then
		groff -man -Tascii -P-c -rLL=200n -ww "$1" 2>page.err | sed 's/.\x08//g'
	else
		sed 's/\\-/-/g; s/\\f[BIR]//g; s/\\&//g' "$1"
	fi >page
	[ ! -s page.err ] && pass "$2: fit for man" || fail "$2: fit for man" "$(cat page.err)"
}

touch page.err
shown "$B/share/man/man1/heddle.1" "heddle(1)"
missing=
for command in run replay report compare doctor help; do
	grep -qi "heddle $command" page || missing+="$command "
	for option in $("$heddle" help $command | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		grep -qE -- "$option( |\$)" page || missing+="$command $option "
	done
done
[ -z "$missing" ] && pass "heddle(1): has all" || fail "heddle(1): has all" "not there: $missing"
shown "$B/share/man/man1/heddle-cc.1" "heddle-cc(1)"
has "heddle-cc(1): its options" page '--volatile=plain'
has "heddle-cc(1): environment" page 'HEDDLE_CC, HEDDLE_CXX'
shown "$B/share/man/man3/heddle.h.3" "heddle.h(3)"
missing=
for name in $(grep -oE '^(static inline .*|#define )heddle_[a-z_]+[a-z]\(' "$here/../../include/heddle/heddle.h" |
	grep -oE 'heddle_[a-z_]+' | grep -v '_begin$\|_again$'); do
	grep -q "$name(" page || missing+="$name "
done
[ -z "$missing" ] && pass "heddle.h(3): has all functions" || fail "heddle.h(3): has all functions" "not there: $missing"

# completes WANTED WORD...: bash's completions of the last word
completes() {
	local want=$1 got
	shift
	got=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[@]}"' \
		"$B/share/bash-completion/completions/heddle" "$@")
	[ "$got" = "$want" ] && pass "bash: ${*}" || fail "bash: ${*}" "got $got, wanted $want"
}

touch queue.heddle
completes "compare" heddle co
completes "merge model machines misuse models" heddle help m
completes "bash zsh" heddle help --complete ""
completes "+lin +livelock +leak +lock-order" heddle run --detect = +l
completes "race,-heap" heddle run --detect race,-h
completes "after-store after-load" heddle fences --changes af
completes "--model" heddle run --mo
completes "sc tso pso sra ra rc11 arm8 power riscv imm auto" heddle run --model ""
completes "pso power" heddle compare --from = p
completes "queue.heddle" heddle replay que
completes "--gdb" heddle replay --g
# shows WANTED LINE: zsh's output when TAB is typed twice after LINE
cat >tab.zsh <<'EOT'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; unsetopt automenu; echo REA''DY"
zpty -r z out '*READY*'
zpty -n -w z "$2"$'\t\t'
zpty -r z out "*$3*" && print found
EOT
shows() {
	[ "$(timeout 120 zsh -f tab.zsh "$B/share/zsh/site-functions" "$2" "$1" 2>&1 | tail -1)" = found ] &&
		pass "zsh: $2" || fail "zsh: $2" "$1 was not shown in 120 s"
}
if command -v zsh >/dev/null; then
	shows "heddle compare" "heddle comp"
	shows lock-order "heddle run --detect=race,+l"
	shows queue.heddle "heddle replay q"
	shows models "heddle help mod"
else
	pass "zsh: completion # SKIP no zsh"
fi
refused "another shell" 'wanted bash or zsh' "$heddle" help --complete fish
finish
