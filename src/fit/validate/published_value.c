/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts what published rows measured to seconds of one iteration and to bytes.
 *
 *     tokens, samples per second   batch (x tokens of a sample) / rate
 *     Tflop/s per device           work of the network / rate: forward three times (backward is two), attention in
 *                                  full and not halved for the mask, recomputation left out. Where "hardware" flops
 *                                  are counted, recomputation of whole blocks is one more forward
 *     model flops utilisation      the same, at this share of the dense 16-bit peak
 *
 * Where blocks alone were measured, the time is without embedding, head and optimizer, and is compared with the
 * time that further blocks add. Memory that runtimes and allocators hold in addition to tensors counts where the
 * tool that measured sees it: all memory of a device (nvidia-smi), that of the allocator (reserved), or tensors
 * only (allocated, computed).
 */
#include <string.h>

#include "fit/validate/published.h"

static double flop_per_device(const struct published *row, const struct paradl_model *model)
{
	if (!model)
		return -1;
	const bool again = strncmp(row->flop_kind, "hw", 2) == 0 && strcmp(row->recompute, "full") == 0;
	return (again ? 4 : 3) * model->forward_flop * row->batch / row->gpus;
}

static double over(double amount, double rate)
{
	return amount > 0 && rate > 0 ? amount / rate : -1;
}

/* Reports whether a column has a value and is the one that the source printed; a row that names none has any. */
static bool is_primary(const struct published *row, const char *name, double value)
{
	return value > 0 && (strcmp(row->primary, name) == 0 || !*row->primary);
}

double published_seconds(
	const struct published *row, const struct paradl_model *model, const struct device *device)
{
	const double tokens = row->batch * row->tokens;
	if (strcmp(row->primary, "mem_gib") == 0)
		return -1;
	if (is_primary(row, "iter_time_s", row->iteration_s))
		return row->iteration_s;
	if (is_primary(row, "tok_s_gpu", row->tokens_per_s_gpu))
		return over(tokens, row->tokens_per_s_gpu * row->gpus);
	if (is_primary(row, "tok_s", row->tokens_per_s))
		return over(tokens, row->tokens_per_s);
	if (is_primary(row, "samples_s", row->samples_per_s))
		return over(row->batch, row->samples_per_s);
	if (is_primary(row, "tflops_gpu", row->tflops))
		return over(flop_per_device(row, model), 1e12 * row->tflops);
	if (is_primary(row, "mfu_pct", row->mfu_percent) && model)
		return over(3 * model->forward_flop * row->batch / row->gpus,
			row->mfu_percent / 100 * device->peak_flop_per_s[PARADL_BF16]);
	return row->iteration_s > 0 ? row->iteration_s : -1;
}

double published_memory(const struct published *row)
{
	static const double gibibyte = 1024.0 * 1024 * 1024;
	return row->memory_gib > 0 ? row->memory_gib * gibibyte : -1;
}

bool published_is_blocks(const struct published *row, const struct aliases *aliases)
{
	return alias_find(aliases, "blocks-only", row->notes);
}

double published_block_s(const struct paradl_estimate *estimate)
{
	return estimate->phase_s[PARADL_FORWARD] + estimate->phase_s[PARADL_BACKWARD] +
	       estimate->phase_s[PARADL_RECOMPUTE] + estimate->phase_s[PARADL_ACTIVATION_EXCHANGE];
}

double published_projected_bytes(
	const struct published *row, const struct aliases *aliases, const struct paradl_estimate *estimate)
{
	const struct alias *alias = alias_find(aliases, "memory", row->memory_kind);
	const struct paradl_memory *memory = &estimate->memory;
	const char *tool = alias ? alias->name : "";
	if (strcmp(tool, "tensors") == 0)
		return memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
		       memory->activations_bytes;
	if (strcmp(tool, "reserved") == 0)
		return estimate->memory_bytes - memory->context_bytes;
	if (strcmp(tool, "allocated") == 0)
		return estimate->memory_bytes - memory->context_bytes - memory->fragmentation_bytes;
	return estimate->memory_bytes;
}
