# SPDX-License-Identifier: ISC
# t_pieces.sh - atomic accesses of different sizes in graphs: reports and replays, processes, checkpoints, comparison.
. "$(dirname "$0")/lib.sh"

compile race tests/bugs/race_ticket_halves.c
compile mp tests/litmus/pieces.c -DMP
compile word tests/litmus/pieces.c -DWORD -DCOVERED
compile ticket tests/executions/ticket_halves.c -DN=3 -I"$here/../executions"

for model in pso rc11; do repeats race $model --strategy graph; done
for model in pso rc11; do repeats mp $model --strategy graph --races ignore; done
for model in tso rc11; do repeats word $model --strategy graph --races ignore; done
repeats mp rc11 --strategy random --races ignore

"$heddle" run --model rc11 --strategy graph --races ignore ./mp >out 2>&1
has "a load of the whole is shown once, as a whole" out "9 +T2 .* load +x\\[0\\] = 65536, acquire"
has "the cycle goes through it" out "rf +T2 +load +x\\[0\\] = 65536"

for model in tso rc11; do
	t "$model: three processes" 0 "$heddle" run --model $model --strategy graph -j 3 ./ticket
	has "$model: three processes see the same" out " graph, 72 executions, complete"
	rm -f left
	t "$model: to a checkpoint" 3 "$heddle" run --model $model --strategy graph --executions 20 --checkpoint left ./ticket
	t "$model: from it" 0 "$heddle" run --model $model --strategy graph --resume left ./ticket
	has "$model: from a checkpoint, all" out " graph, 72 executions, complete"
done

t "portable" 0 "$heddle" compare --from sc --to rc11 ./ticket
t "not portable" 1 "$heddle" compare --from tso --to rc11 --races ignore ./mp

# Equivalence rf does not support pieces. A new process knows of them from the checkpoint.
compile words tests/cli/words.c
t "rf: all" 0 "$heddle" run --model rc11 --equivalence rf ./words
has "rf: all executions" out " graph, 3416 executions, complete"
t "rf: to a checkpoint" 3 "$heddle" run --model rc11 --equivalence rf --executions 200 --checkpoint left ./words
t "rf: from it" 0 "$heddle" run --model rc11 --equivalence rf --resume left ./words
has "rf: from a checkpoint, all" out " graph, 3416 executions, complete"
finish
