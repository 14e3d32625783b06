/* SPDX-License-Identifier: ISC */
/*
 * shim.h - GIMPLE for C: gcc's own headers are C++. Implemented by shim.cc, for the current
 * function.
 *
 * Code that is built goes to the end of a pending sequence, which gcc_insert_before() and the like
 * put into the function.
 */
#ifndef INSTRUMENT_GCC_SHIM_H
#define INSTRUMENT_GCC_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef union tree_node *gcc_tree;
typedef struct gimple *gcc_stmt;

/* --- the function ----------------------------------------------------------------------------- */

/* The pass (pass.c), called for each function, last; and before functions are inlined. */
void pass_function(void);
void pass_function_early(void);

/* Does a call that gets the address of a private variable keep it private? (call.c) */
bool call_keeps_private(gcc_stmt call, unsigned argument);

/* All statements in the order of the blocks; the caller frees the list. */
gcc_stmt *gcc_statements(unsigned *n);

/* Is the current function not to be instrumented, by request or by necessity? */
bool gcc_is_ignored(void);

const char *gcc_function_name(void); /* in the object file */

/* Note which local variables other functions may access; from then on this does not change. */
void gcc_find_escaped(void);

/* The first, second ... of them, NULL: there are no more. */
gcc_tree gcc_escaped(unsigned i);

/* The size of a variable; whether it has a part of 4 bytes or more that one load can use; whether
 * it is a parameter that the caller has put into memory. */
uint64_t gcc_variable_size(gcc_tree variable);
bool gcc_has_words(gcc_tree variable);
bool gcc_points_to_words(gcc_tree pointer);
bool gcc_is_memory_parameter(gcc_tree variable);

/* Is the first use of the variable, in the first block, a store to all of it? */
bool gcc_has_value_at_once(gcc_tree variable);

/* Does the function allocate on its stack, of any size? */
bool gcc_calls_alloca(void);

/* Mark it (HEDDLE_FUNCTION_MARK). */
void gcc_mark_function(void);

/* --- statements ------------------------------------------------------------------------------- */

enum gcc_kind {
	GCC_OTHER,
	GCC_ASSIGN,  /* a single operand, or an aggregate */
	GCC_CLOBBER, /* the end of a variable's life */
	GCC_CALL,
	GCC_INTERNAL, /* a call of one of gcc's internal functions */
	GCC_ASM,
	GCC_RETURN
};

enum gcc_kind gcc_kind(gcc_stmt s);

/* Of assignments and calls; of a return, its value is the right side. NULL: there is none. */
gcc_tree gcc_lhs(gcc_stmt s);
gcc_tree gcc_rhs(gcc_stmt s);
void gcc_set_lhs(gcc_stmt s, gcc_tree value);
void gcc_set_return(gcc_stmt s, gcc_tree value);

/* The right side is an empty aggregate. */
bool gcc_is_clear(gcc_stmt s);

/* A load, or a call that is one: HEDDLE_USED_COUNTS, as in ../tally.h. */
bool gcc_counts(gcc_stmt load);

/* Of calls. The name is "" if the function is not known, or if this unit defines it. */
const char *gcc_callee_name(gcc_stmt call);
const char *gcc_called_name(gcc_stmt call); /* the same of any known function */
gcc_tree gcc_callee(gcc_stmt call);	    /* its address */
bool gcc_callee_is_here(gcc_stmt call);
bool gcc_callee_is_ignored(gcc_stmt call);
bool gcc_callee_is_builtin(gcc_stmt call);
bool gcc_callee_is_of_target(gcc_stmt call); /* a builtin of the processor */
bool gcc_has_no_memory(gcc_stmt call);
bool gcc_returns_twice(gcc_stmt call);
unsigned gcc_nargs(gcc_stmt call);
gcc_tree gcc_arg(gcc_stmt call, unsigned i);
void gcc_set_arg(gcc_stmt call, unsigned i, gcc_tree value);
void gcc_set_arg_number(gcc_stmt call, unsigned i, int value);
bool gcc_arg_is_pointer(gcc_stmt call, unsigned i);
void gcc_set_callee(gcc_stmt call, const char *name);
void gcc_keep_call(gcc_stmt call);     /* no jump */
void gcc_through_table(gcc_stmt call); /* no stub in the executable */

/* The result is made in memory that the caller gives. / It is the left side itself. / ... which it
 * has to be, or may be from now on. */
bool gcc_returns_in_memory(gcc_stmt call);
bool gcc_returns_in_place(gcc_stmt call);
bool gcc_must_be_in_place(gcc_stmt call);
void gcc_return_in_place(gcc_stmt call);

/* The same of the current function; its result variable. */
bool gcc_result_is_in_memory(void);
gcc_tree gcc_result(void);

/* Output i of inline assembly that a register may be used for, NULL if there is none; n: how
 * many. */
unsigned gcc_asm_outputs(gcc_stmt s);
gcc_tree gcc_asm_register_output(gcc_stmt s, unsigned i);
void gcc_asm_set_output(gcc_stmt s, unsigned i, gcc_tree value);
bool gcc_asm_has_labels(gcc_stmt s);

/* --- loops ------------------------------------------------------------------------------------ */

/* Find the natural loops; how many there are. Then all are prepared, which makes phis, before code
 * is inserted into the first one. */
unsigned gcc_loops(void);
gcc_stmt *gcc_loop_statements(unsigned loop, unsigned *n);
void gcc_loop_prepare(unsigned loop);

/* The values that may differ between iterations: registers, or private variables. NULL: no more. */
gcc_tree gcc_loop_value(unsigned loop, unsigned i);
unsigned gcc_loop_tests(unsigned loop); /* comparisons in place of values; a result, a byte */
gcc_tree gcc_loop_test(unsigned loop, unsigned i);
gcc_tree gcc_loop_entered(unsigned loop); /* an int: is it the first iteration? */
gcc_tree gcc_loop_name(unsigned loop);

/* Its counters (../counter.h) with views; their number; a view, a byte; the members of struct
 * heddle_counter; and let it have this position. */
unsigned gcc_loop_counters(unsigned loop);
unsigned gcc_counter_views(unsigned loop, unsigned i);
gcc_tree gcc_counter_view(unsigned loop, unsigned i, unsigned view);
gcc_tree gcc_counter_at(unsigned loop, unsigned i);
gcc_tree gcc_counter_left(unsigned loop, unsigned i);
void gcc_counter_move(unsigned loop, unsigned i, gcc_tree at);

/* At the beginning of each iteration, if they are observed; repeated while `again' is not 0 (NULL:
 * it is not). */
void gcc_insert_at_head(unsigned loop, gcc_tree again);

/* --- memory ----------------------------------------------------------------------------------- */

struct gcc_reference {
	gcc_tree tree;
	gcc_tree type;
	bool is_memory;
	bool is_private; /* no other function can access it */
	bool is_volatile;
	bool is_bits;	  /* not whole bytes: gcc_unit() */
	bool is_register; /* its value is one of GIMPLE's registers; else an aggregate */
	bool is_result;	  /* the result of a call of this function, in the caller's memory */
	uint64_t size;	  /* in bytes; 0: see length */
	gcc_tree length;  /* of variable size */
};

struct gcc_reference gcc_reference(gcc_tree t);

bool gcc_points_to_private(gcc_tree pointer);

/* The bytes of a bit-field: `size' of them at `offset' from the object. Of a copy of the object the
 * same part is `part'. */
struct gcc_unit {
	gcc_tree object, copy, part;
	uint64_t offset, size;
};

struct gcc_unit gcc_unit(const struct gcc_reference *r);

/* --- building --------------------------------------------------------------------------------- */

gcc_tree gcc_call(enum entry entry, gcc_tree *args, unsigned n);
gcc_tree gcc_address(gcc_tree reference, uint64_t offset);
gcc_tree gcc_int(int64_t value);
gcc_tree gcc_size(uint64_t value);
gcc_tree gcc_bits_type(uint64_t size);
gcc_tree gcc_type_of(gcc_tree value);
unsigned gcc_integer_size(gcc_tree value);
uint64_t gcc_size_of(gcc_tree value); /* 0: it is not known */
bool gcc_is_narrow(gcc_tree value);   /* an integer with less bits than its bytes have */

/* Types of the same size. / The value as an unsigned integer of `size' bytes. */
gcc_tree gcc_from_bits(gcc_tree bits, gcc_tree type);
gcc_tree gcc_to_bits(gcc_tree value, uint64_t size);
gcc_tree gcc_resize(gcc_tree integer, gcc_tree type);

/* A new variable of the type, in memory; it is private. */
gcc_tree gcc_temporary(gcc_tree type);
gcc_tree gcc_bytes(uint64_t size);
gcc_tree gcc_va_list(void);
gcc_tree gcc_pointer(gcc_tree variable);
gcc_tree gcc_at(gcc_tree variable, uint64_t offset, gcc_tree type);
gcc_tree gcc_pointee(gcc_tree pointer, gcc_tree type); /* not aligned */
gcc_tree gcc_get(gcc_tree memory);
void gcc_set(gcc_tree memory, gcc_tree value);
gcc_tree gcc_register(gcc_tree type);
void gcc_define(gcc_tree reg, gcc_tree value);

enum gcc_operation {
	GCC_PLUS,
	GCC_MINUS,
	GCC_AND,
	GCC_OR,
	GCC_XOR,
	GCC_NOT,
	GCC_SHIFT_LEFT,
	GCC_SHIFT_RIGHT
};
gcc_tree gcc_compute(enum gcc_operation op, gcc_tree a, gcc_tree b); /* NOT: b is not used */

enum gcc_comparison { GCC_EQ, GCC_NE, GCC_LT, GCC_LE, GCC_GT, GCC_GE };
gcc_tree gcc_compare_zero(enum gcc_comparison how, gcc_tree a); /* as a signed number; an int */
gcc_tree gcc_pair(gcc_tree complex_type, gcc_tree a, gcc_tree b);

/* A memory order that is computed: low bits, consume as acquire. / -1: it is no constant. */
int64_t gcc_constant(gcc_tree value);
gcc_tree gcc_order(gcc_tree value);

/* The address of the return slot of the function. */
gcc_tree gcc_return_slot(void);

/* --- inserting the pending sequence ----------------------------------------------------------- */

void gcc_insert_first(void);
void gcc_insert_before(gcc_stmt s);
void gcc_insert_after(gcc_stmt s); /* where it returns */
void gcc_replace(gcc_stmt s);	   /* before it; and it is removed */
void gcc_remove(gcc_stmt s);

/* Before s, and executed only if the condition, an int, is not 0. */
void gcc_insert_if(gcc_stmt s, gcc_tree condition);

/* --- messages --------------------------------------------------------------------------------- */

/* A warning at the place; once for each. / What cannot be compiled: an error. */
void gcc_warn(gcc_stmt s, const char *format, const char *what);
void gcc_refuse(gcc_stmt s, const char *what);

#define GCC_EMIT(entry, ...) \
	gcc_call(entry, (gcc_tree[]){__VA_ARGS__}, \
		sizeof((gcc_tree[]){__VA_ARGS__}) / sizeof(gcc_tree))

#ifdef __cplusplus
}
#endif

#endif
