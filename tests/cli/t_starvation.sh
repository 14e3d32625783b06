# SPDX-License-Identifier: ISC
# t_starvation.sh - endless loops are found, reported and replayed; similar executions that end are not.
. "$(dirname "$0")/lib.sh"

"$cc" -g -O1 -o starve "$here/starve.c" || exit 2

finds() { # kind of program, headline, repeating steps
	t "$1" 1 "$heddle" run --detect=+starvation --time 20 ./starve "$1"
	has "$1: headline" out "^FAILED  $2"
	has "$1: what repeats" out "^  repeats   steps $3, for ever"
	t "$1: replay" 1 "$heddle" replay ./starve.heddle
	has "$1: replay: what repeats" out "^  repeats   steps $3, for ever"
}

finds polite 'starvation: T1 \(starve.c:[0-9]*\) and T2 \(starve.c:[0-9]*\) loop in lockstep' '[0-9]+ to [0-9]+'
finds back-off 'starvation: T1 .* and T2 .* loop in lockstep' '[0-9]+ to [0-9]+'
finds server 'starvation: main spins for ever on lock \(starve.c:[0-9]*\), while T1 .* loops' '[0-9]+ to [0-9]+'
finds no-signal 'starvation: main waits for ever for condition ready .*, while T1 .* loops' '[0-9]+ to [0-9]+'
finds rude 'livelock: T2 \(starve.c:[0-9]*\) loops for ever' '[0-9]+ to [0-9]+'

t "json" 1 "$heddle" run --detect=+starvation --json=found.json --sarif=found.sarif --time 20 ./starve server
has "json: kind" found.json '"kind": *"starvation"'
has "json: repeats" found.json '"repeats": *\{'
has "sarif: rule" found.sarif '"ruleId": *"starvation"'

t "not asked for: all is explored" 0 "$heddle" run ./starve server
t "not asked for" 3 "$heddle" run --model sc --strategy rf --time 2 --max-steps 1500 ./starve server
has "not asked for: a note" out '^note: threads can starve, or loop in lockstep, while .*: .*--detect=\+starvation'
t "a livelock needs not be asked for" 1 "$heddle" run --time 20 ./starve rude
t "in lockstep: not asked for" 0 "$heddle" run ./starve back-off
t "in lockstep: graphs without end" 3 "$heddle" run --time 2 ./starve polite
t "by dfs" 1 "$heddle" run --model tso --strategy dfs --max-steps 3000 --executions 5 ./starve rude
has "by dfs: headline" out '^FAILED  livelock: T2 '

# Long executions, whose states look alike: with random schedules, and with those that let threads starve.
for kind in bounded until-stopped in-libc in-key in-clock in-rand by-chance pending detached; do
	t "$kind: random" 3 "$heddle" run --model tso --strategy random --executions 20 ./starve $kind
	t "$kind: at the bound" 3 "$heddle" run --model sc --strategy random --executions 2 --max-steps 1500 \
		./starve $kind
done
finish
