/* SPDX-License-Identifier: ISC */
/*
 * plugin.cc - the pass as a plugin of gcc: after all optimisations of GIMPLE, before it is
 * expanded.
 */
#include "plugin.h"

#include "shim.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int plugin_is_GPL_compatible; /* as the ISC licence is */

namespace
{

const pass_data data = {GIMPLE_PASS, "heddle", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0,
	TODO_update_ssa_only_virtuals};

class heddle_pass : public gimple_opt_pass
{
      public:
	heddle_pass() : gimple_opt_pass(data, g)
	{
	}

	unsigned int execute(function *f) final override
	{
		pass_function();
		mark_virtual_operands_for_renaming(f);
		return 0;
	}
};

const pass_data early_data = {
	GIMPLE_PASS, "heddle_early", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

/* Before functions are inlined. */
class early_pass : public gimple_opt_pass
{
      public:
	early_pass() : gimple_opt_pass(early_data, g)
	{
	}

	unsigned int execute(function *) final override
	{
		pass_function_early();
		return 0;
	}
};

} /* namespace */

/* As for clang: __attribute__((annotate("heddle_ignore"))). Such a function is not inlined. */
static tree take_annotation(tree *node, tree, tree args, int, bool *)
{
	if (TREE_CODE(*node) == FUNCTION_DECL && TREE_CODE(TREE_VALUE(args)) == STRING_CST &&
		!strcmp(TREE_STRING_POINTER(TREE_VALUE(args)), "heddle_ignore"))
		DECL_UNINLINABLE(*node) = 1;
	return NULL_TREE;
}

static struct attribute_spec annotation = {
	"annotate", 1, -1, true, false, false, false, take_annotation, NULL};

static void add_attributes(void *, void *)
{
	register_attribute(&annotation);
}

/* Eight bytes before a function are its mark. */
static void (*other_area)(FILE *, unsigned HOST_WIDE_INT, bool);

static void print_area(FILE *file, unsigned HOST_WIDE_INT size, bool record)
{
	if (size == 8)
		fprintf(file, "\t.quad\t%#llx\n", HEDDLE_FUNCTION_MARK);
	else
		other_area(file, size, record);
}

/* The note (instrument/README 6). */
static void add_note(void *, void *)
{
	char text[256];

	snprintf(text, sizeof text,
		"\t.pushsection .note.heddle,\"a\",@note\n\t.balign 4\n\t.long 7, 4, %d\n"
		"\t.asciz \"heddle\"\n\t.balign 4\n\t.long %d\n\t.popsection",
		HEDDLE_NOTE, HEDDLE_ABI_VERSION);
	symtab->finalize_toplevel_asm(build_string(strlen(text), text));
}

EXPORT int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	const char *name = info->base_name;
	struct register_pass_info where = {new heddle_pass, "optimized", 1, PASS_POS_INSERT_BEFORE},
				  early = {new early_pass, "cfg", 1, PASS_POS_INSERT_AFTER};

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("heddle: its plugin was built for gcc %s, this is %s: build heddle with this "
		      "gcc, or "
		      "use %<--gcc=tsan%>",
			gcc_version.basever, version->basever);
		return 1;
	}
	other_area = targetm.asm_out.print_patchable_function_entry;
	targetm.asm_out.print_patchable_function_entry = print_area;
	shim_register(name);
	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &where);
	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &early);
	register_callback(name, PLUGIN_ATTRIBUTES, add_attributes, NULL);
	register_callback(name, PLUGIN_ALL_IPA_PASSES_START, add_note, NULL);
	return 0;
}
