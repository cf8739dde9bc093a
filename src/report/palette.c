/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/palette.h"

#include <stddef.h>

/* clang-format off */
const struct phase_look phase_looks[PARADL_PHASE_COUNT] = {
	[PARADL_FORWARD] =             {"forward",             "compute",       "█", 0x0072B2,  25, '#'},
	[PARADL_BACKWARD] =            {"backward",            "compute",       "█", 0x56B4E9,  74, '#'},
	[PARADL_RECOMPUTE] =           {"recompute",           "compute",       "█", 0x003F63,  23, '#'},
	[PARADL_WEIGHT_UPDATE] =       {"weight update",       "compute",       "█", 0x009E73,  36, '#'},
	[PARADL_GRADIENT_EXCHANGE] =   {"gradient exchange",   "communication", "▒", 0xE69F00, 178, '='},
	[PARADL_ACTIVATION_EXCHANGE] = {"activation exchange", "communication", "▒", 0xD55E00, 166, '='},
	[PARADL_HALO_EXCHANGE] =       {"halo exchange",       "communication", "▒", 0xCC79A7, 175, '='},
	[PARADL_STAGE_TRANSFER] =      {"stage transfer",      "communication", "▒", 0xF0E442, 227, '='},
	[PARADL_BUBBLE] =              {"bubble",              "bubble",        "░", 0xBDBDBD, 250, '.'},
	[PARADL_INPUT] =               {"input",               "input",         "▓", 0x882255,  89, '%'},
};

#define CLASS(field) offsetof(struct paradl_memory, field)
const struct memory_look memory_looks[MEMORY_CLASSES] = {
	{"weights",       CLASS(weights_bytes),       0x0072B2},
	{"gradients",     CLASS(gradients_bytes),     0x56B4E9},
	{"optimizer",     CLASS(optimizer_bytes),     0x009E73},
	{"activations",   CLASS(activations_bytes),   0xE69F00},
	{"logits",        CLASS(logits_bytes),        0xD55E00},
	{"cache",         CLASS(cache_bytes),         0x882255},
	{"workspace",     CLASS(workspace_bytes),     0xCC79A7},
	{"communication", CLASS(communication_bytes), 0xF0E442},
	{"context",       CLASS(context_bytes),       0x6b7280},
	{"fragmentation", CLASS(fragmentation_bytes), 0xBDBDBD},
};
/* clang-format on */

double memory_class_bytes(const struct paradl_memory *memory, size_t index)
{
	return *(const double *)(const void *)((const char *)memory + memory_looks[index].offset);
}
