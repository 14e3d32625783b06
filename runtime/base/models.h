/* SPDX-License-Identifier: ISC */
/*
 * models.h - the memory models, a row each: the user's name, NAME of MODEL_NAME, and the traits
 * that the options depend on.
 *
 * Everything else about a model is in runtime/model/NAME.c or runtime/model/hardware/NAME.c
 * (model/model.h); tools/help/models.txt is its page. A model of hardware also has a row in
 * holes/holes_order.c. Other code names only MODEL_SC, the reference for reorderings, and the
 * defaults below (tests/lint).
 */
#ifndef BASE_MODELS_H
#define BASE_MODELS_H

#include <stdbool.h>

enum model_trait {
	TRAIT_MACHINE = 1 << 0,	 /* the store-buffer machine executes it: it has schedules */
	TRAIT_HARDWARE = 1 << 1, /* has instructions and dependencies: model/hardware/hardware.h */
	TRAIT_RCPC = 1 << 2,	 /* has a weaker load-acquire: --rcpc */
};

#define TRAITS_OF_FILES TRAIT_HARDWARE /* may have */

#define MODELS(ROW)                              \
	ROW(sc, SC, TRAIT_MACHINE)               \
	ROW(tso, TSO, TRAIT_MACHINE)             \
	ROW(pso, PSO, TRAIT_MACHINE)             \
	ROW(sra, SRA, 0)                         \
	ROW(ra, RA, 0)                           \
	ROW(rc11, RC11, 0)                       \
	ROW(arm8, ARM8, TRAIT_HARDWARE | TRAIT_RCPC) \
	ROW(power, POWER, TRAIT_HARDWARE)        \
	ROW(riscv, RISCV, TRAIT_HARDWARE)        \
	ROW(imm, IMM, TRAIT_HARDWARE)

enum model_id {
#define MODEL_ID(name, NAME, traits) MODEL_##NAME,
	MODELS(MODEL_ID)
#undef MODEL_ID
	MODEL_CAT, /* in a file: the option cat */
	MODEL_AUTO
};

/* The models that auto stands for: of strategies of graphs, of strategies of schedules. */
#define MODEL_OF_GRAPHS	   MODEL_RC11
#define MODEL_OF_SCHEDULES MODEL_TSO

static inline bool model_has(enum model_id m, enum model_trait trait)
{
#define MODEL_MASK(name, NAME, traits) | (((traits) & trait) != 0) << MODEL_##NAME
	return (((TRAITS_OF_FILES & trait) != 0) << MODEL_CAT MODELS(MODEL_MASK)) >> m & 1;
#undef MODEL_MASK
}

/* Does it have instructions and dependencies, or may it? Then plain accesses count as relaxed
 * ones. */
static inline bool model_is_hardware(enum model_id m)
{
	return model_has(m, TRAIT_HARDWARE);
}

static inline bool model_is_file(enum model_id m)
{
	return m == MODEL_CAT;
}

/* "sc, tso, ", and so on */
#define MODEL_COMMA(name, NAME, traits) #name ", "
#define MODEL_NAMES		MODELS(MODEL_COMMA)

#endif
