/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimizers: fp32 states per weight, and bytes moved per weight by one update, where w, g are weight and gradient:
 *     sgd           read w g, write w                              12
 *     sgd-momentum  + read and write the velocity                  20
 *     adam, adamw   + read and write two moments                   28
 *     lars          momentum, after a pass over w g for norms      28
 *     lamb          adam writing its step u instead of w, then read w u, write w      40
 *     adafactor     the second moment in rows and columns (not counted): g three times, w twice    20
 *     adamw-8bit    two moments of one byte each                   16
 */
#include <string.h>

#include "model/model.h"

static const struct optimizer optimizers[] = {
	{.name = "sgd", .states = 0, .bytes_per_weight = 12},
	{.name = "sgd-momentum", .states = 1, .bytes_per_weight = 20},
	{.name = "adam", .states = 2, .bytes_per_weight = 28},
	{.name = "adamw", .states = 2, .bytes_per_weight = 28},
	{.name = "lamb", .states = 2, .bytes_per_weight = 40},
	{.name = "lars", .states = 1, .bytes_per_weight = 28},
	{.name = "adafactor", .states = 0, .bytes_per_weight = 20},
	{.name = "adamw-8bit", .states = 0.5, .bytes_per_weight = 16},
};

const char *const optimizer_names[] = {
	"sgd", "sgd-momentum", "adam", "adamw", "lamb", "lars", "adafactor", "adamw-8bit", NULL};

const struct optimizer *optimizer_find(const char *name)
{
	for (size_t i = 0; i < sizeof(optimizers) / sizeof(optimizers[0]); i++)
		if (strcmp(optimizers[i].name, name) == 0)
			return &optimizers[i];
	return NULL;
}
