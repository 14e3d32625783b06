/* SPDX-License-Identifier: ISC */
/*
 * symbol.h - names for the addresses in a trace, from the debug information of its modules.
 *
 * Works offline: on the files, not on a process. A file that has changed since (build-id) is not
 * used. All results live as long as the struct symbols.
 */
#ifndef SOURCE_SYMBOL_H
#define SOURCE_SYMBOL_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "event/trace.h"

struct frame {
	const char *function; /* NULL = unknown */
	const char *file;     /* as given to the compiler; NULL = unknown */
	int line, column;     /* 0 = unknown */
	int near; /* without a line: the nearest one of the same scope; 0 = none */
	bool inlined;	      /* into the next frame */
	bool primitive;	      /* its place is that of its call: primitive.h */
};

/* An address in code: the calls that were inlined there, innermost first; at least one. */
struct frames {
	unsigned n;
	struct frame *at;
	const char *module; /* its path, NULL = in no module */
	u64 offset;	    /* in the module, or the address */
	unsigned place;	    /* the first that is no primitive; n: all are */
	bool stands_for_calls; /* the outermost is a primitive, or not inlined */
};

/* The kind of a piece of memory. */
enum leaf_kind {
	LEAF_UNKNOWN,
	LEAF_SIGNED,
	LEAF_UNSIGNED,
	LEAF_CHAR,
	LEAF_BOOL,
	LEAF_FLOAT,
	LEAF_POINTER,
	LEAF_ENUM,
	LEAF_STRUCT, /* a whole struct, union or array */
};

struct leaf {
	enum leaf_kind kind;
	u64 size;
	Dwarf_Die type; /* without typedefs and qualifiers; valid unless kind is UNKNOWN */
};

struct variable {
	char *name; /* q.slot[3].seq */
	struct leaf leaf;
};

/* Hints about a piece of memory, from the source. */
struct hint {
	const char *words; /* an expression in the source for it: it may name a member of a union;
			      NULL: none */
	Dwarf_Die *type;   /* of the whole object; NULL: unknown */
};

struct symbols;

/* Opens the modules that can be opened, or uses open ones; *changed gets the path of a module that
 * has changed, or NULL. */
struct symbols *symbols_open(const struct trace *t, const char **changed);

/* The place of the instruction that ends at `address` (a return address). */
const struct frames *symbol_frames(struct symbols *s, u64 address);

/* The place of a call stack in the user's code, innermost address first: its frames from the first
 * that is not a primitive on; if all are, those of the first address. */
const struct frames *symbol_place(struct symbols *s, const u64 *stack, u32 n);

/* The name of the function that begins at `address`, NULL if unknown. */
const char *symbol_function(struct symbols *s, u64 address);

/* The string literal around the address, quoted; *offset: the bytes before it. NULL: none. */
char *symbol_literal(struct symbols *s, u64 address, u64 *offset);

/* The variable of static storage, or part of one, that lies at `address`, `size` bytes of it; hint
 * may be NULL. */
bool symbol_variable(
	struct symbols *s, u64 address, u64 size, const struct hint *hint, struct variable *v);

/* The name in the symbol table of the variable of static storage at `address`; *offset: of the
 * address in it. NULL: none. / Where the program's variable of this name is; 0: nowhere, or there
 * are several. */
const char *symbol_of_address(struct symbols *s, u64 address, u64 *offset);
u64 symbol_address(struct symbols *s, const char *name);

/* symbol_variable() for a thread-local variable: offset in the module's initialisation image. */
bool symbol_tls(struct symbols *s, u64 module_base, u64 offset, u64 size, const struct hint *hint,
	struct variable *v);

/* The local variable of an active call that lies at `address`: the call is known by the return
 * address `pc` in it, and the two ends of its frame. */
struct call {
	u64 pc, sp, cfa;
};
bool symbol_local(struct symbols *s, const struct call *call, u64 address, u64 size,
	const struct hint *hint, struct variable *v);

/* The type that the local pointer variable declared on this line of the function at `address`
 * points to. For `struct node *n = malloc(...)`. */
bool symbol_local_pointee(struct symbols *s, u64 address, Dwarf_Die *type);

#endif
