/* SPDX-License-Identifier: ISC */
/* model.c - see model.h. */
#include "model/model.h"

#include "base/option.h"
#include "base/text.h"

static const struct model *const models[] = {
#define MODEL_ENTRY(name, NAME, traits) [MODEL_##NAME] = &model_##name,
	MODELS(MODEL_ENTRY)
#undef MODEL_ENTRY
	[MODEL_CAT] = &model_cat,
};

const struct model *model_of(enum model_id m)
{
	BUG_ON(m >= array_size(models));
	return models[m];
}

const struct model *model_named(const char *name)
{
	for (u32 i = 0; name && i < array_size(models); i++)
		if (text_equal(name, model_name((enum model_id)i)))
			return models[i];
	return NULL;
}
