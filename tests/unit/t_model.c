/* SPDX-License-Identifier: ISC */
/* t_model.c - the rows of base/models.h against the models: numbers, names, traits. */
#include "base/option.h"
#include "model/model.h"

#include "unit.h"

static void rows(void)
{
	for (u32 i = 0; i < MODEL_AUTO; i++) {
		enum model_id id = (enum model_id)i;
		const struct model *m = model_of(id);

		CU_ASSERT_EQUAL(m->id, id);
		CU_ASSERT_PTR_EQUAL(model_named(model_name(id)), m);
		CU_ASSERT_EQUAL(model_has(id, TRAIT_MACHINE), model_has_machine(m));
		CU_ASSERT_EQUAL(model_is_file(id), m->is_file);
		CU_ASSERT_EQUAL(model_is_hardware(id), m->keeps || m->is_file);
		CU_ASSERT(!model_has(id, TRAIT_RCPC) || model_is_hardware(id));
	}
	CU_ASSERT_FALSE(model_is_hardware(MODEL_AUTO));
	CU_ASSERT_FALSE(model_has(MODEL_AUTO, TRAIT_MACHINE));
	CU_ASSERT_PTR_NULL(model_named("wombat"));
}

/* A model never includes itself, and includes all that its parts include. */
static void included(void)
{
	for (u32 i = 0; i < MODEL_AUTO; i++) {
		u32 includes = model_of((enum model_id)i)->includes, more;

		CU_ASSERT_FALSE(includes >> i & 1);
		for (u32 k = 0; k < MODEL_AUTO; k++) {
			more = model_of((enum model_id)k)->includes & ~includes;
			CU_ASSERT(!(includes >> k & 1) || !more);
		}
	}
}

const struct unit_test model_tests[] = {
	{"rows, traits", rows},
	{"inclusion", included},
	{NULL, NULL},
};
