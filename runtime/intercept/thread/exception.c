/* SPDX-License-Identifier: ISC */
/*
 * exception.c - C++ exceptions that threads share: std::exception_ptr, and so std::future; and the
 * text of a std::runtime_error or std::logic_error, which its copies share.
 *
 * libstdc++ counts the owners, and is not instrumented: nothing would order the last owner, which
 * frees the memory, behind the others. So each change of such a number is an atomic operation of
 * the thread, as libstdc++ has it. The layout of exceptions is that of the Itanium C++ ABI, with
 * libstdc++'s number of owners before it; all else in there is one thread's at a time.
 */
#include "intercept/intercept.h"
#include "intercept/next.h"

#include <heddle/abi.h>

#include <unwind.h>

/* Before the object that is thrown. */
struct thrown_header {
	void *type; /* of a dependent exception: the object that it throws once more */
	void (*destroy)(void *object);
	void *unexpected, *terminate, *next;
	int handlers, selector;
	void *action, *data, *landing, *adjusted;
	struct _Unwind_Exception unwind;
};

#define COUNT	  (16 + sizeof(struct thrown_header)) /* the number of owners, before the object */
#define OWN	  0x474e5543432b2b00ull	       /* GNUCC++ */
#define DEPENDENT (OWN + 1)

/* Of libstdc++, which a C program may have opened. */
void __cxa_free_exception(void *object);
void __cxa_free_dependent_exception(void *header);
extern char _ZNSs4_Rep20_S_empty_rep_storageE[];

#define CALLER		   __builtin_return_address(0)
#define LIBRARY(name)	   NEXT_FUNCTION_OF(name, "libstdc++", caller)
#define OWN_FUNCTION(name) NEXT_FUNCTION_OF(name, "libstdc++", CALLER)

/* --- owners of an exception ------------------------------------------------------------------- */

static u32 *owners_of(void *object)
{
	return (u32 *)((char *)object - COUNT);
}

static struct thrown_header *exception_header(struct _Unwind_Exception *e)
{
	return (struct thrown_header *)((char *)(e + 1) - sizeof(struct thrown_header));
}

static void add_owner(void *object)
{
	__heddle_rmw4(owners_of(object), 1, HEDDLE_ADD,
		__ATOMIC_ACQ_REL | HEDDLE_RESULT_UNUSED << HEDDLE_RESULT);
}

/* True: it was the last one, and the object has been freed. */
static bool remove_owner(void *object, const void *caller)
{
	const struct thrown_header *h = (struct thrown_header *)object - 1;

	if (__heddle_rmw4(owners_of(object), 1, HEDDLE_SUB, __ATOMIC_ACQ_REL) != 1)
		return false;
	if (h->destroy)
		h->destroy(object);
	LIBRARY(__cxa_free_exception)(object);
	return true;
}

/* exception_ptr::_M_addref(), _M_release() */
void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self);
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self);

INTERCEPT void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self)
{
	void *object;

	if (!machine_entered()) {
		OWN_FUNCTION(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv)(self);
		return;
	}
	take(CALLER, &object, self, sizeof object);
	add_owner(object);
}

INTERCEPT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self)
{
	void *object;

	if (!machine_entered()) {
		OWN_FUNCTION(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(self);
		return;
	}
	take(CALLER, &object, self, sizeof object);
	if (remove_owner(object, CALLER))
		give(CALLER, self, &(void *){NULL}, sizeof object);
}

/* std::rethrow_exception() has added an owner: a dependent exception. */
INTERCEPT _Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *e)
{
	if (machine_entered() && e->exception_class == DEPENDENT) {
		void *object = exception_header(e)->type;

		--*owners_of(object);
		add_owner(object);
	}
	return NEXT_FUNCTION(_Unwind_RaiseException, "libgcc_s")(e);
}

/* The last handler of an exception ends. */
INTERCEPT void _Unwind_DeleteException(struct _Unwind_Exception *e)
{
	const void *caller = CALLER;
	void *object;

	if (!machine_entered() || (e->exception_class | 1) != DEPENDENT) {
		if (e->exception_cleanup)
			e->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, e);
		return;
	}
	object = e->exception_class == OWN ? e + 1 : exception_header(e)->type;
	if (e->exception_class == DEPENDENT)
		LIBRARY(__cxa_free_dependent_exception)(exception_header(e));
	remove_owner(object, caller);
}

/* --- owners of a text ------------------------------------------------------------------------- */

struct error {
	void *functions;
	char *text; /* behind the number of further owners */
};

/* Before libstdc++'s function changes that number without an event in between. */
static void change_text(const struct error *e, int by, const void *caller)
{
	char *text;
	i32 *further;

	if (!machine_entered())
		return;
	take(caller, &text, &e->text, sizeof text);
	if (text == *LIBRARY(_ZNSs4_Rep20_S_empty_rep_storageE) + 24)
		return;
	further = (i32 *)(text - 8);
	__heddle_rmw4(further, (u32)by, HEDDLE_ADD, __ATOMIC_ACQ_REL);
	*further -= by;
}

#define COPIES(name)                                                                               \
	void name(struct error *e, const struct error *from);                                      \
	INTERCEPT void name(struct error *e, const struct error *from)                             \
	{                                                                                          \
		change_text(from, 1, CALLER);                                                      \
		OWN_FUNCTION(name)(e, from);                                                       \
	}
#define DESTROYS(name)                                                                             \
	void name(struct error *e);                                                                \
	INTERCEPT void name(struct error *e)                                                       \
	{                                                                                          \
		change_text(e, -1, CALLER);                                                        \
		OWN_FUNCTION(name)(e);                                                             \
	}

COPIES(_ZNSt11logic_errorC1ERKS_)
COPIES(_ZNSt11logic_errorC2ERKS_)
COPIES(_ZNSt13runtime_errorC1ERKS_)
COPIES(_ZNSt13runtime_errorC2ERKS_)
DESTROYS(_ZNSt11logic_errorD1Ev)
DESTROYS(_ZNSt11logic_errorD2Ev)
DESTROYS(_ZNSt13runtime_errorD1Ev)
DESTROYS(_ZNSt13runtime_errorD2Ev)
