/* SPDX-License-Identifier: ISC */
/* memory.c - kinds of accessed memory: sizes that overlap, ranges, heap, stacks, thread-local
 * storage (races.h). */
#include "races.h"

/* --- neighbours and parts --------------------------------------------------------------------- */

static char bytes[16];
static int numbers[8];
static struct {
	char a, b;
	short c;
	int d;
	char e[3], f;
} members;
static union {
	uint64_t whole;
	uint32_t half[2];
	uint8_t byte[8];
} word;

static void byte_0(void)
{
	bytes[0] = 1; /* @byte_0 */
}

static void byte_1(void)
{
	bytes[1] = 1; /* @byte_1 */
}

static void bytes_0_to_3(void)
{
	*(int *)bytes = 0; /* @bytes_0_to_3 */
}

static void bytes_0_to_7(void)
{
	*(long *)bytes = 0; /* @bytes_0_to_7 */
}

static void read_bytes_4_to_7(void)
{
	USE(((int *)bytes)[1]); /* @read_bytes_4_to_7 */
}

static void read_byte_7(void)
{
	USE(bytes[7]); /* @read_byte_7 */
}

static void bytes_7_and_8(void)
{
	short v = 1;

	memcpy(bytes + 7, &v, sizeof v); /* @bytes_7_and_8 */
}

static void bytes_8_to_15(void)
{
	((long *)bytes)[1] = 1; /* @bytes_8_to_15 */
}

static void bytes_3_to_6(void)
{
	int v = 1;

	memcpy(bytes + 3, &v, sizeof v); /* @bytes_3_to_6 */
}

static void member_a(void)
{
	members.a = 1;
}

static void member_b(void)
{
	members.b++; /* @member_b */
}

static void member_c(void)
{
	members.c--;
}

static void member_d(void)
{
	members.d = 1;
}

static void member_f(void)
{
	members.f = members.e[2];
}

static void whole(void)
{
	word.whole = 1; /* @whole */
}

static void low_half(void)
{
	word.half[0] = 1; /* @low_half */
}

static void high_half(void)
{
	word.half[1] = 1; /* @high_half */
}

static void last_byte(void)
{
	USE(word.byte[7]); /* @last_byte */
}

/* clean */
CASE(bytes_side_by_side) { together(byte_0, byte_1); }

/* race bytes[0] @byte_0 @byte_0 */
CASE(byte_twice) { together(byte_0, byte_0); }

/* race bytes[0] @byte_0 @bytes_0_to_3 */
CASE(byte_in_a_word) { together(byte_0, bytes_0_to_3); }

/* race bytes[1] @byte_1 @bytes_0_to_7 */
CASE(byte_in_a_long) { together(byte_1, bytes_0_to_7); }

/* clean */
CASE(word_and_next_word) { together(bytes_0_to_3, read_bytes_4_to_7); }

/* race bytes[4] @bytes_0_to_7 @read_bytes_4_to_7 */
CASE(word_in_a_long) { together(bytes_0_to_7, read_bytes_4_to_7); }

/* race bytes[7] @read_byte_7 @bytes_7_and_8 */
CASE(unaligned_first_byte) { together(read_byte_7, bytes_7_and_8); }

/* race bytes[8] @bytes_7_and_8 @bytes_8_to_15 */
CASE(unaligned_last_byte) { together(bytes_7_and_8, bytes_8_to_15); }

/* clean */
CASE(unaligned_between) { three(byte_0, bytes_3_to_6, read_byte_7); }

/* race bytes[3] @bytes_0_to_3 @bytes_3_to_6 */
CASE(unaligned_in_a_word) { together(bytes_0_to_3, bytes_3_to_6); }

/* clean */
CASE(members_side_by_side)
{
	three(member_a, member_b, member_c);
	together(member_d, member_f);
}

/* race members.b @member_b @member_b */
CASE(member_twice) { three(member_a, member_b, member_b); }

/* clean */
CASE(union_halves) { together(low_half, high_half); }

/* race word.half[0] @whole @low_half */
CASE(union_half_of_whole) { together(whole, low_half); }

/* race word.byte[7] @high_half @last_byte */
CASE(union_byte_of_half) { together(high_half, last_byte); }

/* clean */
CASE(union_byte_of_other_half) { together(low_half, last_byte); }

static long double wide;
static double fraction = 0.5;
static __int128 huge;
static typeof(int __attribute__((vector_size(16)))) vector;

static void wide_add(void)
{
	wide += 1; /* @wide_add */
}

static void fraction_add(void)
{
	fraction *= 2; /* @fraction_add */
}

static void huge_add(void)
{
	huge++; /* @huge_add */
}

static void huge_high(void)
{
	((uint64_t *)&huge)[1] = 1; /* @huge_high */
}

static void vector_add(void)
{
	vector += 1; /* @vector_add */
}

/* race wide @wide_add @wide_add */
CASE(long_double) { together(wide_add, wide_add); }

/* race fraction @fraction_add @fraction_add */
CASE(floating)
{
	together(fraction_add, fraction_add);
	USE(fraction > 1);
}

/* race huge+8 @huge_add @huge_high */
CASE(int128) { together(huge_add, huge_high); }

/* race vector[0] @vector_add @vector_add */
CASE(vectors) { together(vector_add, vector_add); }

/* clean */
CASE(numbers_of_all_kinds) { three(wide_add, fraction_add, huge_add); }

/* --- arrays and ranges ------------------------------------------------------------------------ */

static char text[24] = "some text", copy[24];
static struct point {
	int x, y, z;
} point, points[3];

static void fill_front(void)
{
	memset(bytes, 1, 8); /* @fill_front */
}

static void fill_back(void)
{
	memset(bytes + 8, 1, 8); /* @fill_back */
}

static void fill_all(void)
{
	memset(bytes, 1, 16); /* @fill_all */
}

static void fill_middle(void)
{
	memset(bytes + 6, 1, 4); /* @fill_middle */
}

static void copy_text(void)
{
	memcpy(copy, text, sizeof copy); /* @copy_text */
}

static void copy_string(void)
{
	strcpy(copy, text); /* @copy_string */
}

static void text_end(void)
{
	text[23] = 'x'; /* @text_end */
}

static void text_first(void)
{
	text[0] = 'S'; /* @text_first */
}

static void measure(void)
{
	USE(strlen(text)); /* @measure */
}

static void compare(void)
{
	USE(memcmp(text, "some", 4)); /* @compare */
}

static void move_text(void)
{
	memmove(text + 1, text, 5); /* @move_text */
}

static void assign_point(void)
{
	point = points[1]; /* @assign_point */
	USE(point.y);
}

static void point_z(void)
{
	point.z = 1; /* @point_z */
}

static void points_1_x(void)
{
	points[1].x = 1; /* @points_1_x */
}

static void points_2_x(void)
{
	points[2].x = 1; /* @points_2_x */
}

static void points_all(void)
{
	for (int i = 0; i < 3; i++)
		points[i].x++; /* @points_all */
}

/* clean */
CASE(ranges_side_by_side) { together(fill_front, fill_back); }

/* race bytes[6] @fill_front @fill_middle */
CASE(ranges_that_overlap) { together(fill_front, fill_middle); }

/* race bytes[1] @fill_all @byte_1 */
CASE(range_over_a_byte) { together(fill_all, byte_1); }

/* race text[23] @copy_text @text_end */
CASE(memcpy_reads) { together(copy_text, text_end); }

/* race copy[0] @copy_text @copy_text */
CASE(memcpy_writes) { together(copy_text, copy_text); }

/* clean: bytes behind the end of the string are not read */
CASE(strcpy_stops) { together(copy_string, text_end); }

/* race text[0] @copy_string @text_first */
CASE(strcpy_reads) { together(copy_string, text_first); }

/* race text[0] @measure @text_first */
CASE(strlen_reads) { together(measure, text_first); }

/* clean */
CASE(memcmp_and_the_end) { three(compare, measure, text_end); }

/* race text[0] @compare @text_first */
CASE(memcmp_reads) { together(compare, text_first); }

/* race text[0] @move_text @text_first */
CASE(memmove_reads) { together(move_text, text_first); }

/* race point.z @assign_point @point_z */
CASE(assignment_writes) { together(assign_point, point_z); }

/* race points[1].x @assign_point @points_1_x */
CASE(assignment_reads) { together(assign_point, points_1_x); }

/* clean */
CASE(assignment_of_another) { together(assign_point, points_2_x); }

/* race points[2].x @points_all @points_2_x */
CASE(element) { together(points_all, points_2_x); }

/* --- heap, stack, thread-local ---------------------------------------------------------------- */

struct node {
	struct node *next;
	int value;
};

static struct node *head;
static int *shared;
static _Thread_local int mine;
static atomic_int step;

static void node_value(void)
{
	head->value++; /* @node_value */
}

static void node_next(void)
{
	head->next = NULL;
}

/* race node#1->value @node_value @node_value */
CASE(heap_block)
{
	head = calloc(1, sizeof *head);
	together(node_value, node_value);
	free(head);
}

/* clean */
CASE(heap_members)
{
	head = calloc(1, sizeof *head);
	together(node_value, node_next);
	free(head);
}

static void own_block(void)
{
	int *p = malloc(sizeof *p);

	*p = 1;
	USE(*p);
	free(p);
}

/* clean: each its own */
CASE(heap_of_each) { together(own_block, own_block); }

static void write_through(void)
{
	*shared = 1; /* @write_through */
}

/* race on_the_stack @write_through @of_the_stack */
CASE(stack)
{
	int on_the_stack = 0;
	pthread_t t;

	shared = &on_the_stack;
	t = start(write_through);
	on_the_stack++; /* @of_the_stack */
	end(t);
}

/* clean */
CASE(stack_joined)
{
	int on_the_stack = 0;

	shared = &on_the_stack;
	end(start(write_through));
	USE(on_the_stack);
}

/* race array[1] @write_through @array_of_the_stack */
CASE(stack_array)
{
	int array[3] = {0};
	pthread_t t;

	shared = &array[1];
	t = start(write_through);
	for (int i = 0; i < 3; i++)
		USE(array[i]); /* @array_of_the_stack */
	end(t);
}

/* clean */
CASE(stack_array_beside)
{
	int array[3] = {0};
	pthread_t t;

	shared = &array[1];
	t = start(write_through);
	USE(array[0]);
	USE(array[2]);
	end(t);
}

static void lend(void)
{
	mine = 1;
	shared = &mine;
	STORE(step, 1, release);
	while (LOAD(step, acquire) == 1)
		;
	mine++;
}

static void lend_and_use(void)
{
	shared = &mine;
	STORE(step, 1, release);
	mine++; /* @lend_and_use */
	while (LOAD(step, acquire) == 1)
		;
}

static void borrow(void)
{
	while (!LOAD(step, acquire))
		;
	++*shared; /* @borrow */
	STORE(step, 2, release);
}

static void use_own(void)
{
	mine++;
	mine++;
}

/* clean */
CASE(tls_lent) { together(lend, borrow); }

/* race mine of T1 @lend_and_use @borrow */
CASE(tls_lent_and_used) { together(lend_and_use, borrow); }

/* clean */
CASE(tls_of_each) { together(use_own, use_own); }

static void publish(void)
{
	struct node *n = malloc(sizeof *n);

	n->value = 1;
	head = n; /* @publish */
}

static void find(void)
{
	if (head) /* @find */
		USE(head->value);
}

/* race head @publish @find */
CASE(heap_published) { together(publish, find); }

static const int constant[] = {1, 2, 3};

static void read_constant(void)
{
	USE(constant[1]);
	USE(numbers[3]);
}

/* clean: all threads only read */
CASE(constants) { three(read_constant, read_constant, read_constant); }

static void realloc_grow(void)
{
	shared = realloc(shared, 64 * sizeof *shared);
	shared[40] = 1;
}

/* clean */
CASE(realloc_joined)
{
	shared = calloc(4, sizeof *shared);
	end(start(realloc_grow));
	USE(shared[40]);
	free(shared);
}

/* --- atomic and plain accesses of one object -------------------------------------------------- */

static atomic_int counter;
static _Atomic uint64_t atomic_word;

static void count_atomic(void)
{
	counter++; /* @count_atomic */
}

static void read_plain(void)
{
	USE(*(int *)&counter); /* @read_plain */
}

static void write_plain(void)
{
	*(int *)&counter = 1; /* @write_plain */
}

static void read_atomic(void)
{
	USE(LOAD(counter, relaxed)); /* @read_atomic */
}

static void clear_counter(void)
{
	memset((void *)&counter, 0, sizeof counter); /* @clear_counter */
}

static void word_byte_1(void)
{
	((char *)&atomic_word)[1] = 1; /* @word_byte_1 */
}

static void read_word(void)
{
	USE(LOAD(atomic_word, acquire)); /* @read_word */
}

/* race counter @count_atomic @read_plain */
CASE(atomic_write_plain_read) { together(count_atomic, read_plain); }

/* race counter @write_plain @read_atomic */
CASE(plain_write_atomic_read) { together(write_plain, read_atomic); }

/* clean */
CASE(atomic_read_plain_read) { together(read_atomic, read_plain); }

/* race counter @write_plain @count_atomic */
CASE(plain_write_atomic_write) { together(write_plain, count_atomic); }

/* race counter @clear_counter @read_atomic */
CASE(memset_of_an_atomic) { together(clear_counter, read_atomic); }

/* clean */
CASE(plain_before_and_after)
{
	*(int *)&counter = 3;
	together(count_atomic, count_atomic);
	USE(*(int *)&counter);
}

/* race atomic_word @word_byte_1 @read_word */
CASE(byte_of_an_atomic) { together(word_byte_1, read_word); }
