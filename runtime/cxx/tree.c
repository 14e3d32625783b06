/* SPDX-License-Identifier: ISC */
/*
 * tree.c - the functions of std::map and std::set that libstdc++ does not have in its headers, so
 * that their accesses are instrumented as those of the headers are. Red-black trees: Cormen,
 * Leiserson, Rivest, Stein, Introduction to Algorithms, chapter 13.
 *
 * The header of a tree is a red node: its parent is the root, its children are the first and the
 * last node. The root's parent is the header.
 */
#include <stdbool.h>
#include <stddef.h>

enum colour { RED, BLACK };
enum side { LEFT, RIGHT };

struct tree_node {
	enum colour colour;
	struct tree_node *parent;
	struct tree_node *child[2];
};

struct tree_node *tree_next(const struct tree_node *) __asm__(
	"_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
struct tree_node *tree_next_of(struct tree_node *) __asm__(
	"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
struct tree_node *tree_previous(const struct tree_node *) __asm__(
	"_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
struct tree_node *tree_previous_of(struct tree_node *) __asm__(
	"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
void tree_insert(bool left, struct tree_node *, struct tree_node *parent,
	struct tree_node *header) __asm__("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_"
					  "baseS0_RS_");
struct tree_node *tree_erase(struct tree_node *, struct tree_node *header) __asm__(
	"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
unsigned tree_blacks(const struct tree_node *, const struct tree_node *root) __asm__(
	"_ZSt20_Rb_tree_black_countPKSt18_Rb_tree_node_baseS1_");

/* --- iterators ------------------------------------------------------------------------------- */

static struct tree_node *find_extreme(struct tree_node *n, enum side side)
{
	while (n->child[side])
		n = n->child[side];
	return n;
}

static struct tree_node *find_neighbour(struct tree_node *n, enum side side)
{
	struct tree_node *parent = n->parent;

	if (n->child[side])
		return find_extreme(n->child[side], !side);
	while (n == parent->child[side]) {
		n = parent;
		parent = n->parent;
	}
	/* A root that is an extreme: n is already the header. */
	return n->child[side] == parent ? n : parent;
}

struct tree_node *tree_next(const struct tree_node *n)
{
	return find_neighbour((struct tree_node *)n, RIGHT);
}

struct tree_node *tree_next_of(struct tree_node *n)
{
	return find_neighbour(n, RIGHT);
}

struct tree_node *tree_previous(const struct tree_node *n)
{
	bool header = n->colour == RED && n->parent->parent == n;

	return header ? n->child[RIGHT] : find_neighbour((struct tree_node *)n, LEFT);
}

struct tree_node *tree_previous_of(struct tree_node *n)
{
	return tree_previous(n);
}

/* --- links ----------------------------------------------------------------------------------- */

/* Where n was, there is now `by', which may be NULL. */
static void replace_node(struct tree_node *n, struct tree_node *by, struct tree_node *header)
{
	struct tree_node *parent = n->parent;

	if (header->parent == n)
		header->parent = by;
	else
		parent->child[parent->child[RIGHT] == n] = by;
	if (by)
		by->parent = parent;
}

static void link_child(struct tree_node *parent, enum side side, struct tree_node *n)
{
	parent->child[side] = n;
	if (n)
		n->parent = parent;
}

/* The node moves down to the given side of its other child. */
static void rotate_node(struct tree_node *n, enum side side, struct tree_node *header)
{
	struct tree_node *up = n->child[!side];

	replace_node(n, up, header);
	link_child(n, !side, up->child[side]);
	link_child(up, side, n);
}

static bool is_red(const struct tree_node *n)
{
	return n && n->colour == RED;
}

/* --- insertion ------------------------------------------------------------------------------- */

/* n is red; if its parent is, too, mend that. */
static void mend_red(struct tree_node *n, struct tree_node *header)
{
	while (n != header->parent && is_red(n->parent)) {
		struct tree_node *parent = n->parent, *grand = parent->parent;
		enum side side = grand->child[RIGHT] == parent;
		struct tree_node *uncle = grand->child[!side];

		grand->colour = RED;
		if (is_red(uncle)) {
			parent->colour = uncle->colour = BLACK;
			n = grand;
			continue;
		}
		if (parent->child[!side] == n) {
			rotate_node(parent, side, header);
			parent = n;
		}
		parent->colour = BLACK;
		rotate_node(grand, !side, header);
		return;
	}
	header->parent->colour = BLACK;
}

void tree_insert(bool left, struct tree_node *n, struct tree_node *parent, struct tree_node *header)
{
	enum side side = left ? LEFT : RIGHT;

	n->colour = RED;
	n->parent = parent;
	n->child[LEFT] = n->child[RIGHT] = NULL;
	if (parent == header) {
		header->parent = header->child[LEFT] = header->child[RIGHT] = n;
	} else {
		parent->child[side] = n;
		if (header->child[side] == parent)
			header->child[side] = n;
	}
	mend_red(n, header);
}

/* --- removal --------------------------------------------------------------------------------- */

/* The paths through n, a child of `parent' that may be NULL, have a black node too few. */
static void mend_black(struct tree_node *n, struct tree_node *parent, struct tree_node *header)
{
	while (n != header->parent && !is_red(n)) {
		enum side side = parent->child[RIGHT] == n;
		struct tree_node *sibling = parent->child[!side];

		if (is_red(sibling)) {
			sibling->colour = BLACK;
			parent->colour = RED;
			rotate_node(parent, side, header);
			sibling = parent->child[!side];
		}
		if (!is_red(sibling->child[LEFT]) && !is_red(sibling->child[RIGHT])) {
			sibling->colour = RED;
			n = parent;
			parent = n->parent;
			continue;
		}
		if (!is_red(sibling->child[!side])) {
			sibling->child[side]->colour = BLACK;
			sibling->colour = RED;
			rotate_node(sibling, !side, header);
			sibling = parent->child[!side];
		}
		sibling->colour = parent->colour;
		parent->colour = sibling->child[!side]->colour = BLACK;
		rotate_node(parent, side, header);
		return;
	}
	if (n)
		n->colour = BLACK;
}

/* If the first or last node is removed, its neighbour becomes that. */
static void move_extreme(const struct tree_node *n, enum side side, struct tree_node *header)
{
	struct tree_node *child = n->child[!side];

	if (header->child[side] == n)
		header->child[side] = child ? find_extreme(child, side) : n->parent;
}

struct tree_node *tree_erase(struct tree_node *n, struct tree_node *header)
{
	struct tree_node *child = n->child[LEFT] ? n->child[LEFT] : n->child[RIGHT],
			 *parent = n->parent;
	enum colour colour = n->colour;

	move_extreme(n, LEFT, header);
	move_extreme(n, RIGHT, header);
	if (n->child[LEFT] && n->child[RIGHT]) { /* its successor takes its place */
		struct tree_node *next = find_extreme(n->child[RIGHT], LEFT);

		child = next->child[RIGHT];
		parent = next;
		colour = next->colour;
		if (next->parent != n) {
			parent = next->parent;
			replace_node(next, child, header);
			link_child(next, RIGHT, n->child[RIGHT]);
		}
		replace_node(n, next, header);
		link_child(next, LEFT, n->child[LEFT]);
		next->colour = n->colour;
	} else {
		replace_node(n, child, header);
	}
	if (colour == BLACK)
		mend_black(child, parent, header);
	return n;
}

/* --- for assertions -------------------------------------------------------------------------- */

unsigned tree_blacks(const struct tree_node *n, const struct tree_node *root)
{
	unsigned blacks = 0;

	for (; n; n = n == root ? NULL : n->parent)
		blacks += n->colour == BLACK;
	return blacks;
}
