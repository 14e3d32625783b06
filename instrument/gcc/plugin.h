/* SPDX-License-Identifier: ISC */
/* plugin.h - gcc's headers, for the C++ files of this folder. */
#ifndef INSTRUMENT_GCC_PLUGIN_H
#define INSTRUMENT_GCC_PLUGIN_H

#include <gcc-plugin.h>
#include <plugin-version.h>

#include <tree.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-walk.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <cfghooks.h>
#include <cfgloop.h>
#include <tree-cfg.h>
#include <tree-ssa.h>
#include <tree-ssa-operands.h>
#include <ssa-iterators.h>
#include <tree-into-ssa.h>
#include <cgraph.h>
#include <fold-const.h>
#include <stor-layout.h>
#include <stmt.h>
#include <stringpool.h>
#include <attribs.h>
#include <calls.h>
#include <function.h>
#include <target.h>
#include <internal-fn.h>
#include <diagnostic-core.h>
#include <output.h>

/* shim_build.cc: at the start; the value of an expression, in the pending sequence. */
void shim_register(const char *plugin);
tree shim_settled(tree expression);

/* Insert the pending sequence at the beginning of a block; executed if __heddle_turns is not 0.
 * Returns its block. / Repeat that block while the condition is not 0. / The block after it. */
basic_block shim_insert_if_observed(basic_block b);
void shim_repeat(basic_block b, tree condition);
basic_block shim_after(basic_block b);

/* shim.cc */
void shim_add_attribute(tree decl, const char *name, tree args);

/* shim_private.cc */
bool shim_is_private_variable(tree variable);
bool shim_is_private_pointer(tree pointer);
tree shim_root(tree pointer); /* the one variable that it points to, or NULL_TREE */

#endif
