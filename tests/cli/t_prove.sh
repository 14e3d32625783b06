# SPDX-License-Identifier: ISC
# t_prove.sh - heddle prove: the verdicts on algorithms whose threads loop for ever (prove/endless.h), replays, options.
. "$(dirname "$0")/lib.sh"

programs=$here/../prove

# verdict PROGRAM MODEL VERDICT FLAG...: -D is the compiler's, --NAME is heddle's
verdict() {
	local name=$1 model=$2 want=$3 flag title
	local -a defines=() options=()
	local file

	title="$*"
	shift 3
	for flag; do
		case $flag in
		--*) options+=("$flag") ;;
		*) defines+=("$flag") ;;
		esac
	done
	file=$name$(printf %s "${defines[@]}")
	[ -e "$file" ] || build "${defines[@]}" -o "$file" "$programs/$name.c"
	name=$file
	case $want in
	proved)
		t "$title" 0 "$heddle" prove --model "$model" "${options[@]}" "./$name"
		has "$title" out "^heddle: $model, proved: [0-9]+ states, no failure, .*loops for ever, "
		;;
	bounded)
		t "$title" 3 "$heddle" prove --model "$model" "${options[@]}" "./$name"
		has "$title" out "^heddle: $model, [0-9]+ states, not proved: a buffer was full with "
		;;
	*)
		rm -f "$name.heddle"
		t "$title" 1 "$heddle" prove --model "$model" "${options[@]}" --json result.json "./$name"
		holds "$title" result.json ".findings | length == 1 and .[0].kind == \"$want\""
		holds "$title: at once" result.json ".seconds < 15"
		t "$title: replay" 1 "$heddle" replay "$name.heddle"
		;;
	esac
}

for file in "$programs"/*.c; do
	while read -r _ _ model want flags; do
		# shellcheck disable=SC2086
		verdict "$(basename "$file" .c)" "$model" "$want" $flags
	done < <(grep -E "^ \* prove${LONG:+(-long)?} " "$file")
done

# --- findings

cat >waits.c <<'EOT'
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
static atomic_int statistics;
static sem_t never;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *loop(void *arg)
{
	for (int i = 0;; i = (i + 1) % 3) {
		atomic_store(&x, i);
#ifdef COUNTS
		atomic_fetch_add(&statistics, 1);
#endif
	}
}

static void *other(void *arg)
{
#ifdef BLOCKS
	if (atomic_load(&x) == 2)
		sem_wait(&never);
#elif defined(ENDS)
	if (atomic_load(&x) == 2)
		exit(0);
#elif defined(LOCKS)
	for (;;) {
		pthread_mutex_lock(&two);
		pthread_mutex_lock(&one);
		pthread_mutex_unlock(&one);
		pthread_mutex_unlock(&two);
	}
#elif defined(FREES)
	int *p = malloc(sizeof *p);

	free(p);
	if (atomic_load(&x) == 2)
		*(volatile int *)p = 1;
#endif
	return NULL;
}

static void *locks(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&one);
		pthread_mutex_lock(&two);
		pthread_mutex_unlock(&two);
		pthread_mutex_unlock(&one);
	}
}

int main(void)
{
	pthread_t t[2];

	sem_init(&never, 0, 0);
#ifdef IGNORES
	heddle_ignore_state(&statistics, sizeof statistics);
#endif
#ifdef LOCKS
	pthread_create(&t[0], NULL, locks, NULL);
#elif !defined(SHORT)
	pthread_create(&t[0], NULL, loop, NULL);
#endif
	pthread_create(&t[1], NULL, other, NULL);
#ifndef SHORT
	pthread_join(t[0], NULL);
#endif
	pthread_join(t[1], NULL);
	return 0;
}
EOT
build -w -DBLOCKS -o blocks waits.c
t "a thread is blocked for ever" 1 "$heddle" prove --model sc --json result.json ./blocks
holds "a thread is blocked for ever" result.json '.findings | length == 1 and .[0].kind == "starvation"'
t "without starvation" 0 "$heddle" prove --model sc --detect=-starvation ./blocks
has "without starvation: a note" out '^note: threads can starve, or loop in lockstep, while other'
has "without starvation: the rest is proved" out '^heddle: sc, proved: '
build -w -DLOCKS -o locks waits.c
t "deadlock" 1 "$heddle" prove --json result.json ./locks
holds "deadlock" result.json '.findings | length == 1 and .[0].kind == "deadlock"'
t "deadlock: replay" 1 "$heddle" replay locks.heddle
build -w -DFREES -o frees waits.c
t "heap" 1 "$heddle" prove --json result.json ./frees
holds "heap" result.json '.findings | length == 1 and .[0].kind == "heap"'
build -w -DENDS -o ends waits.c
t "it may end" 0 "$heddle" prove --model sc ./ends
has "it may end" out '^heddle: sc, proved: [0-9]+ states, no failure, ends or loops for ever, '
build -w -DSHORT -o short waits.c
t "it ends" 0 "$heddle" prove ./short
has "it ends" out '^heddle: tso, proved: [0-9]+ states, no failure, every execution ends, '

# --- states that are no state

build -w -DCOUNTS -o counts waits.c
t "a counter" 3 "$heddle" prove --time 2 --json result.json ./counts
has "a counter: its name" out ' not proved: stopped after 2 s \(--time\); statistics has at least [0-9]+ values at the same places, '
holds "a counter" result.json '(.complete | not) and .states > 100'
build -w -DCOUNTS -DIGNORES -o ignores waits.c
t "a counter that is ignored" 0 "$heddle" prove ./ignores
has "a counter that is ignored" out '^heddle: tso, proved: [0-9]+ states, no failure, loops for ever, '

# --- repairs, proved for the endless program

# repair NAME MODEL STATES CHANGES: of the program without fences
repair() {
	[ -e "$1" ] || build -o "$1" "$programs/$1.c"
	t "fences $1 $2" 0 "$heddle" fences --strategy states --model "$2" --json repair.json "./$1"
	has "fences $1 $2" out "^heddle: $2, cheapest repair proved: $3 states with it, complete, 0 failing; "
	holds "fences $1 $2" repair.json "[.repairs[0].changes[].what] == $4 and .repairs[0].states == $3"
}
repair peterson tso 88 '["fence-after"]'
repair peterson pso 88 '["fence-before", "fence-after"]'
repair dijkstra pso 922 '["fence-after"]'
repair szymanski tso 151 '["fence-after", "fence-after"]'
repair deadlock tso 82 '["fence-after"]'
repair burns tso 205 '["fence-after", "fence-after"]'
repair sfence pso 130 '["fence-before", "fence-before"]'
build -DMF -DSF -o peterson-fences "$programs/peterson.c"
# relaxation MODEL ORDERS: those that are enough
relaxation() {
	t "relax $1" 0 "$heddle" relax --strategy states --model "$1" --json relax.json ./peterson-fences
	has "relax $1" out "^heddle: $1, proved: 88 states with it, complete, 0 failing; "
	holds "relax $1" relax.json "[.relaxations[0].orders[].enough] == $2"
}
relaxation tso '["relaxed", "none", "seq_cst"]'
relaxation pso '["relaxed", "release", "seq_cst"]'

# --- refused

refused "models" '^heddle: prove: --strategy states needs --model sc, tso or pso$' "$heddle" prove --model rc11 ./ends
refused "jobs" 'not with --strategy states, whose states are in the memory of one process: --time and that memory are its bounds$' "$heddle" prove -j2 ./ends
refused "strategies" '^heddle: prove: all states are explored: no other --strategy' "$heddle" prove --strategy dfs ./ends
refused "bounds" 'which needs no bounds$' "$heddle" prove --loop-bound 3 ./ends
refused "no program" '^heddle: prove: name a program, as in `heddle prove ./program' "$heddle" prove
cat >pipe.c <<'EOT'
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg)
{
	write(ends[1], "x", 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;

	pipe(ends);
	pthread_create(&t, NULL, writer, NULL);
	read(ends[0], &c, 1);
	pthread_join(t, NULL);
	return 0;
}
EOT
# What is kept outside of the program's memory: no state has it.
cat >keeps.c <<'EOT'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;
static char word[] = "a,b,c,d", *mapped, *digits;
static int exponent, sign;
static pthread_key_t key;

static void round(void)
{
#ifdef LIBC
	digits = ecvt(*digits - '0' + 1, 1, &exponent, &sign);
	heddle_assert(*digits != '4');
#elif defined(STRTOK)
	heddle_assert(*strtok(NULL, ",") != 'd');
#elif defined(MAPPED)
	heddle_assert(++*mapped != 3);
#elif defined(SPECIFIC)
	heddle_assert(pthread_getspecific(key) != word + 3);
	pthread_setspecific(key, (char *)pthread_getspecific(key) + 1);
#elif defined(SLEEPS) || defined(CLOCK)
	sleep(1);
	heddle_assert(atomic_load(&x) != 2);
#endif
}

static void *loop(void *arg)
{
#ifdef SPECIFIC
	pthread_setspecific(key, word);
#endif
	for (;;) {
		round();
		atomic_store(&x, 1);
		atomic_store(&x, 0);
	}
}

int main(void)
{
	pthread_t t;

#ifdef LIBC
	digits = ecvt(1, 1, &exponent, &sign);
#elif defined(STRTOK)
	strtok(word, ",");
#elif defined(MAPPED)
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
	pthread_key_create(&key, NULL);
	pthread_create(&t, NULL, loop, NULL);
#ifdef SLEEPS
	for (;;) {
		atomic_store(&x, 2);
		atomic_store(&x, 0);
	}
#elif defined(CLOCK)
	while (!atomic_load(&x))
		;
	heddle_assert(time(NULL) % 1000 < 7);
#endif
	while (atomic_load(&x) < 9)
		;
	pthread_join(t, NULL);
	return 0;
}
EOT
# keeps NAME CODE OUTPUT
keeps() {
	build -w -D"$1" -o keeps keeps.c
	t "state of $1" "$2" "$heddle" prove --model sc --time 20 ./keeps
	has "state of $1" "$([ "$2" = 2 ] && echo err || echo out)" "$3"
}
keeps LIBC 2 'strategy states: data that the C library keeps between calls are not part of a state: '
keeps STRTOK 1 '^FAILED  assertion '
keeps MAPPED 2 'strategy states: contents of memory that is mapped .mmap. are not part of a state: '
keeps SPECIFIC 2 'strategy states: thread-specific data are not part of a state: '
keeps SLEEPS 1 '^FAILED  assertion '
keeps CLOCK 1 '^FAILED  assertion '
keeps NOTHING 0 '^heddle: sc, proved: '

build -w -o pipe pipe.c
t "a pipe" 2 "$heddle" prove ./pipe
has "a pipe" err \
	'strategy states: files, pipes, sockets, clocks, settings of the process and generators of random numbers are not part of a state: .heddle run. explores such a program$'

finish
