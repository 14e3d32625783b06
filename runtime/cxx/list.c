/* SPDX-License-Identifier: ISC */
/*
 * list.c - the functions of std::list that libstdc++ does not have in its headers, so that their
 * accesses are instrumented as those of the headers are. Lists are circles through a header.
 */

struct list_node {
	struct list_node *next, *previous;
};

void list_hook(struct list_node *, struct list_node *at) __asm__(
	"_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void list_unhook(struct list_node *) __asm__("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void list_transfer(struct list_node *at, struct list_node *first, struct list_node *end) __asm__(
	"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void list_swap(struct list_node *, struct list_node *) __asm__(
	"_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void list_reverse(struct list_node *) __asm__("_ZNSt8__detail15_List_node_base10_M_reverseEv");

static void link_nodes(struct list_node *a, struct list_node *b)
{
	a->next = b;
	b->previous = a;
}

/* Insert before a node. */
void list_hook(struct list_node *n, struct list_node *at)
{
	link_nodes(at->previous, n);
	link_nodes(n, at);
}

void list_unhook(struct list_node *n)
{
	link_nodes(n->previous, n->next);
}

/* Move first ... end, without the latter, to before a node. */
void list_transfer(struct list_node *at, struct list_node *first, struct list_node *end)
{
	struct list_node *last = end->previous;

	if (at == end || first == end)
		return;
	link_nodes(first->previous, end);
	link_nodes(at->previous, first);
	link_nodes(last, at);
}

void list_swap(struct list_node *a, struct list_node *b)
{
	struct list_node swapped = *a;

	if (b->next == b)
		link_nodes(a, a);
	else {
		link_nodes(a, b->next);
		link_nodes(b->previous, a);
	}
	if (swapped.next == a)
		link_nodes(b, b);
	else {
		link_nodes(b, swapped.next);
		link_nodes(swapped.previous, b);
	}
}

void list_reverse(struct list_node *header)
{
	struct list_node *n = header;

	do {
		struct list_node *next = n->next;

		n->next = n->previous;
		n->previous = next;
		n = next;
	} while (n != header);
}
