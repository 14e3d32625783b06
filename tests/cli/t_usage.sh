# SPDX-License-Identifier: ISC
# t_usage.sh - help, and messages about wrong command lines.
. "$(dirname "$0")/lib.sh"

t "no command" 2 "$heddle"
has "no command: the list is shown" err '^  run +explore a program'
t "help" 0 "$heddle" help
has "help lists doctor" out '^  doctor '
t "--help" 0 "$heddle" --help
t "--version" 0 "$heddle" --version
has "--version" out '^heddle [0-9]+\.[0-9]+\.[0-9]+$'
for command in run replay report explain doctor help version; do
	t "$command --help" 0 "$heddle" $command --help
	has "$command --help says how to call it" out "^Usage: heddle $command"
	has "$command --help has examples" out '^Examples:'
	cp out by_option
	[ $command != run ] || "$heddle" run --help all >by_option
	t "help $command" 0 "$heddle" help $command
	same "help $command = $command --help" by_option out
done
t "run --help: short" 0 "$heddle" run --help
[ "$(grep -cE '^  (-., )?--' out)" = 10 ] && [ "$(wc -l <out)" -le 45 ] && ! grep -q '.\{101\}' out &&
	pass "run --help: ten options" || fail "run --help: ten options" "$(cat out)"
has "run --help: where the others are" out '^All options: heddle run --help all'
t "help run" 0 "$heddle" help run
has "run's options come with their defaults" out '^  --model MODEL .*\[auto\]$'
hasnt "internal options are not shown" out 'status-fd'

refused "unknown command" "no command \`rnu': did you mean \`run'\?" "$heddle" rnu
refused "unknown command, nothing near" "no command \`frobnicate': see \`heddle help'" "$heddle" frobnicate
refused "help of an unknown command" "no help about \`wombat'" "$heddle" help wombat
refused "run without a program" "name a program" "$heddle" run
refused "replay without a file" "name one replay file" "$heddle" replay
refused "report without a file" "name a replay file" "$heddle" report
refused "unknown option" "no option \`--modle': did you mean \`--model'\?" "$heddle" run --modle tso ./x
refused "unknown option with =" "no option \`--sede': did you mean \`--seed'\?" "$heddle" run --sede=1 ./x
refused "unknown letter" "no option \`-x'" "$heddle" run -x ./x
refused "one dash" "no option \`-model': did you mean \`--model'" "$heddle" run -model tso ./x
refused "nothing near" "no option \`--cost': \`heddle help relax' lists" "$heddle" relax --cost seq_cst=3 ./x
refused "option before the command" "no command before \`--model': .*\`heddle run --model \.\.\.'" \
	"$heddle" --model tso ./x
refused "a value where none is taken" "option \`--gdb' takes no value" "$heddle" replay --gdb=1 x.heddle
refused "a program as command" 'heddle run PROGRAM. explores one' "$heddle" ./x
: >x.c
refused "a source" 'compile it first \(heddle-cc -g -o NAME x.c\)' "$heddle" run x.c
refused "a program as replay file" 'a program, not a replay file: .*NAME.heddle' "$heddle" replay "$B/bin/heddle"
refused "help about two" 'name one command' "$heddle" help run race
refused "option of another command" "no option \`--gdb'" "$heddle" run --gdb ./x
refused "internal option" "no option \`--status-fd'" "$heddle" run --status-fd=3 ./x
refused "unknown model" "wrong value \`arm' for model: wanted sc, tso, pso, sra, ra, rc11, arm8, power, riscv, imm, or auto" "$heddle" run --model arm ./x
refused "unknown model with =" "wrong value \`arm' for model" "$heddle" run --model=arm ./x
refused "unknown strategy" "wanted graph, rf, traces, states, auto, random, pct, pos, surw, pctwm, dfs or mixed" "$heddle" run --strategy follow ./x
refused "not a number" "wrong value \`many' for executions: wanted a number" "$heddle" run --executions many ./x
refused "number out of range" "buffer-size: wanted a number from 1 to 64" "$heddle" run --buffer-size 65 ./x
refused "option without its value" "option \`--time' needs a value" "$heddle" run --time
refused "width" "wrong value \`3' for width" "$heddle" run --width 3 ./x
refused "color" "wanted auto, always or never" "$heddle" run --color=red ./x
finish
