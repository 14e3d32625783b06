/* SPDX-License-Identifier: ISC */
/*
 * kernels.c - loops whose iterations two threads share out: dependences, private variables,
 * reductions, indirection, phases. After the categories of DataRaceBench (Liao et al., SC 2017)
 * (races.h).
 */
#include "races.h"

#define N 6

static int a[N + 1], b[N + 1], m[4][4], scalar, sum, count;
static const int same[N] = {0, 1, 2, 2, 4, 5}, different[N] = {5, 0, 3, 1, 2, 4};
static int *p, *q;
static atomic_int atomic_sum, atomic_bins[3];
static int bins[3];
static char letters[N];
static double sums[2];
static _Thread_local int private;
static pthread_barrier_t barrier;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER, critical_2 = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;

static void (*kernel)(int i);

static void lower(void)
{
	for (int i = 0; i < N / 2; i++)
		kernel(i);
}

static void upper(void)
{
	for (int i = N / 2; i < N; i++)
		kernel(i);
}

/* kernel(0) ... kernel(N - 1), the first half by one thread, the second by another. */
static void parallel_for(void (*k)(int))
{
	kernel = k;
	together(lower, upper);
}

/* --- dependences ------------------------------------------------------------------------------ */

static void do_all(int i)
{
	a[i] = b[i] + i;
}

static void anti(int i)
{
	a[i] = a[i + 1] + 1; /* @anti */
}

static void flow(int i)
{
	a[i + 1] = a[i] + 1; /* @flow */
}

static void output(int i)
{
	scalar = i; /* @output */
}

static void from_other(int i)
{
	b[i] = a[i] + a[i + 1];
}

static void single_element(int i)
{
	a[i] = a[0] + 1; /* @single_element */
}

static void far_apart(int i)
{
	a[i] = i < N / 2 ? a[i + N / 2] : 0; /* @far_apart */
}

static void characters(int i)
{
	letters[i] = (char)i;
}

static void rows(int i)
{
	for (int k = 1; i < 4 && k < 4; k++)
		m[i][k] = m[i][k - 1] + 1;
}

static void columns(int i)
{
	for (int k = 0; i > 0 && i < 4 && k < 4; k++)
		m[i][k] = m[i - 1][k] + 1; /* @columns */
}

/* clean */
CASE(doall) { parallel_for(do_all); }

/* race a[3] @anti @anti */
CASE(antidep) { parallel_for(anti); }

/* race a[3] @flow @flow */
CASE(truedep) { parallel_for(flow); }

/* race scalar @output @output */
CASE(outputdep) { parallel_for(output); }

/* clean */
CASE(reads_overlap) { parallel_for(from_other); }

/* race a[0] @single_element @single_element */
CASE(truedep_single_element) { parallel_for(single_element); }

/* race a[3] @far_apart @far_apart */
CASE(antidep_far_apart) { parallel_for(far_apart); }

/* clean */
CASE(doall_char) { parallel_for(characters); }

/* clean */
CASE(dependence_inside_a_row) { parallel_for(rows); }

/* race m[2][0] @columns @columns */
CASE(dependence_between_rows) { parallel_for(columns); }

/* --- indirection ------------------------------------------------------------------------------ */

static void scatter_same(int i)
{
	a[same[i]] = i; /* @scatter_same */
}

static void scatter_different(int i)
{
	a[different[i]] = i;
}

static void gather_same(int i)
{
	a[i] = b[same[i]];
}

static void by_pointers(int i)
{
	p[i] = q[i] + 1; /* @by_pointers */
}

static void append(int i)
{
	a[count++] = i; /* @append */
}

/* race a[2] @scatter_same @scatter_same */
CASE(indirect_same) { parallel_for(scatter_same); }

/* clean */
CASE(indirect_different) { parallel_for(scatter_different); }

/* clean */
CASE(indirect_reads) { parallel_for(gather_same); }

/* clean */
CASE(pointers_apart)
{
	p = a;
	q = b;
	parallel_for(by_pointers);
}

/* race a[3] @by_pointers @by_pointers */
CASE(pointers_aliased)
{
	p = a;
	q = a + 1;
	parallel_for(by_pointers);
}

/* race count @append @append */
CASE(plusplus) { parallel_for(append); }

/* --- private and shared ----------------------------------------------------------------------- */

static void shared_temporary(int i)
{
	scalar = a[i] + i; /* @shared_temporary_set */
	a[i] = scalar;	   /* @shared_temporary_use */
}

static void own_temporary(int i)
{
	int own = a[i] + i;

	a[i] = own;
}

static void thread_private(int i)
{
	private += i;
	a[i] = private;
}

static int remember(int i)
{
	static int last; /* as if it were the caller's own */

	last += i; /* @remember_set */
	return last;
}

static void call_remember(int i)
{
	a[i] = remember(i);
}

static void last_private(int i)
{
	if (i == N - 1)
		scalar = i;
}

/* race scalar @shared_temporary_set @shared_temporary_set */
CASE(private_missing)
{
	parallel_for(shared_temporary);
	USE(scalar);
}

/* clean */
CASE(private_given) { parallel_for(own_temporary); }

/* clean */
CASE(threadprivate) { parallel_for(thread_private); }

/* race last @remember_set @remember_set */
CASE(static_in_a_function) { parallel_for(call_remember); }

/* clean */
CASE(lastprivate)
{
	parallel_for(last_private);
	USE(scalar);
}

/* --- reductions ------------------------------------------------------------------------------- */

static void reduce(int i)
{
	sum += a[i]; /* @reduce */
}

static void reduce_critical(int i)
{
	pthread_mutex_lock(&critical);
	sum += a[i]; /* @reduce_critical */
	pthread_mutex_unlock(&critical);
}

static void reduce_two_names(int i)
{
	pthread_mutex_t *lock = i < N / 2 ? &critical : &critical_2;

	pthread_mutex_lock(lock);
	sum += a[i]; /* @reduce_two_names */
	pthread_mutex_unlock(lock);
}

static void reduce_atomic(int i)
{
	ADD(atomic_sum, a[i], relaxed);
}

static void reduce_atomic_read(int i)
{
	if (i == N - 1)
		USE(*(int *)&atomic_sum); /* @reduce_atomic_read */
	else
		ADD(atomic_sum, 1, relaxed); /* @reduce_atomic_add */
}

static void reduce_own(int i)
{
	sums[i / (N / 2)] += i;
}

static void histogram(int i)
{
	bins[i * i % 3]++; /* @histogram */
}

static void histogram_atomic(int i)
{
	ADD(atomic_bins[i * i % 3], 1, relaxed);
}

/* race sum @reduce @reduce */
CASE(reduction_missing)
{
	parallel_for(reduce);
	USE(sum);
}

/* clean */
CASE(reduction_critical)
{
	parallel_for(reduce_critical);
	USE(sum);
}

/* race sum @reduce_two_names @reduce_two_names */
CASE(reduction_critical_by_two_names) { parallel_for(reduce_two_names); }

/* clean */
CASE(reduction_atomic)
{
	parallel_for(reduce_atomic);
	USE(LOAD(atomic_sum, relaxed));
}

/* race atomic_sum @reduce_atomic_read @reduce_atomic_add */
CASE(reduction_atomic_and_plain_read) { parallel_for(reduce_atomic_read); }

/* clean */
CASE(reduction_by_parts)
{
	parallel_for(reduce_own);
	USE((int)(sums[0] + sums[1]));
}

/* race bins[0] @histogram @histogram */
CASE(histogram_plain) { parallel_for(histogram); }

/* clean */
CASE(histogram_of_atomics) { parallel_for(histogram_atomic); }

/* --- phases ----------------------------------------------------------------------------------- */

static void two_phases(int id, bool wait)
{
	for (int i = id * 2; i < id * 2 + 2; i++)
		a[i] = i; /* @phase_1 */
	if (wait)
		pthread_barrier_wait(&barrier);
	for (int i = id * 2; i < id * 2 + 2; i++)
		b[i] = a[3 - i]; /* @phase_2 */
}

static void phases_0(void)
{
	two_phases(0, true);
}

static void phases_1(void)
{
	two_phases(1, true);
}

static void no_wait_0(void)
{
	two_phases(0, false);
}

static void no_wait_1(void)
{
	two_phases(1, false);
}

static void jacobi(int id)
{
	for (int round = 0; round < 2; round++) {
		int *from = round ? b : a, *to = round ? a : b;

		for (int i = 1 + id * 2; i < 3 + id * 2; i++)
			to[i] = from[i - 1] + from[i + 1];
		pthread_barrier_wait(&barrier);
	}
}

static void jacobi_0(void)
{
	jacobi(0);
}

static void jacobi_1(void)
{
	jacobi(1);
}

static void in_place(int i)
{
	if (i)
		a[i] = a[i - 1] + a[i + 1]; /* @in_place */
}

static void single(bool waits)
{
	if (waits)
		pthread_barrier_wait(&barrier);
	else
		scalar = 1; /* @single */
}

static void single_makes(void)
{
	single(false);
	pthread_barrier_wait(&barrier);
	USE(scalar);
}

static void single_made(void)
{
	single(true);
	USE(scalar);
}

static void master_without_barrier(void)
{
	USE(scalar); /* @master_without_barrier */
}

static void make_only(void)
{
	single(false);
}

static void ordered_first(void)
{
	a[count++] = 1;
	sem_post(&turn);
}

static void ordered_second(void)
{
	sem_wait(&turn);
	a[count++] = 2;
}

/* clean */
CASE(phases_with_barrier)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(phases_0, phases_1);
}

/* race a[2] @phase_1 @phase_2 */
CASE(phases_nowait) { together(no_wait_0, no_wait_1); }

/* clean */
CASE(jacobi_two_arrays)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(jacobi_0, jacobi_1);
}

/* race a[2] @in_place @in_place */
CASE(jacobi_in_place) { parallel_for(in_place); }

/* clean */
CASE(single_with_barrier)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(single_makes, single_made);
}

/* race scalar @single @master_without_barrier */
CASE(master_and_no_barrier) { together(make_only, master_without_barrier); }

/* clean */
CASE(ordered)
{
	sem_init(&turn, 0, 0);
	together(ordered_first, ordered_second);
}

/* --- matrices --------------------------------------------------------------------------------- */

static int x[4], y[4];

static void matrix_vector(int i)
{
	for (int k = 0; i < 4 && k < 4; k++)
		y[i] += m[i][k] * x[k];
}

static void matrix_vector_inner(int k)
{
	for (int i = 0; k < 4 && i < 4; i++)
		y[i] += m[i][k] * x[k]; /* @matrix_vector_inner */
}

/* clean */
CASE(matrixvector_outer)
{
	x[1] = 2;
	parallel_for(matrix_vector);
	USE(y[0]);
}

/* race y[0] @matrix_vector_inner @matrix_vector_inner */
CASE(matrixvector_inner)
{
	x[1] = 2;
	parallel_for(matrix_vector_inner);
	USE(y[0]);
}
