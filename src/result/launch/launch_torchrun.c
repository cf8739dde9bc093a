/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a device mesh with the axes nested as in the plan, and the calls of PyTorch 2.6 that use it: fully_shard
 * (FSDP2), pipelining, tensor and context parallelism. Experts are cut as torchtitan does it. Replicas are the
 * devices along data, expert and context; hybrid sharding cuts data into dp_replicate and dp_shard. `blocks`, `step`
 * and the like are names of the user's script.
 */
#include <math.h>
#include <string.h>

#include "result/launch/launch.h"

#define LINE(...)   launch_add(launch, &launch->file, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static const char *const mesh_names[PARADL_AXIS_COUNT] = {"dp", "pp", "ep", "cp", "tp", NULL, NULL, NULL};

/* Adds an item to a tuple of Python, with a comma where it is not the first. */
static void tuple_add(char *tuple, size_t size, const char *item)
{
	const size_t length = strlen(tuple);
	snprintf(tuple + length, size - length, "%s%s", length > 0 ? ", " : "", item);
}

static void mesh_add(char sizes[96], char names[128], unsigned size, const char *name)
{
	char text[32];
	snprintf(text, sizeof text, "%u", size);
	tuple_add(sizes, 96, text);
	snprintf(text, sizeof text, "\"%s\"", name);
	tuple_add(names, 128, text);
}

/*
 * Returns the devices along data that share one copy of sharded state, together with those along expert and context;
 * all of data where nothing else is asked for. 0: plan->shard devices are no part of a mesh.
 */
static unsigned data_shard(const struct paradl_plan *plan)
{
	const unsigned data = plan->degree[PARADL_DATA];
	const unsigned others = plan->degree[PARADL_EXPERT] * plan->degree[PARADL_CONTEXT];
	if (plan->zero == 0 || plan->shard == 0)
		return data;
	return plan->shard % others == 0 && data % (plan->shard / others) == 0 ? plan->shard / others : 0;
}

/* Writes the mesh, with data cut into dp_replicate and dp_shard devices. shard 0: data is not cut. */
static void tell_mesh(struct launch *launch, const struct paradl_plan *plan, unsigned shard)
{
	char sizes[96] = "", names[128] = "";
	unsigned count = 0;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; i++) {
		const unsigned axis = plan->order[i], degree = plan->degree[axis];
		if (degree <= 1)
			continue;
		if (axis == PARADL_DATA && shard > 0 && shard < degree) {
			mesh_add(sizes, names, degree / shard, "dp_replicate");
			if (shard > 1)
				mesh_add(sizes, names, shard, "dp_shard");
			count += shard > 1;
		} else {
			mesh_add(sizes, names, degree, mesh_names[axis]);
		}
		count++;
	}
	const char *const end = count == 1 ? "," : "";
	if (count == 0)
		return;
	LINE("mesh = init_device_mesh(\"cuda\", (%s%s),", sizes, end);
	LINE("    mesh_dim_names=(%s%s))", names, end);
}

/* Fills `mesh` with the devices that have the same weights, "mesh["dp"]"; in two dimensions with hybrid sharding. */
static void tell_replicas(
	struct launch *launch, const struct paradl_plan *plan, unsigned shard, char mesh[64])
{
	static const enum paradl_axis axes[] = {PARADL_DATA, PARADL_EXPERT, PARADL_CONTEXT};
	const bool hybrid = shard < plan->degree[PARADL_DATA];
	char names[64] = "";
	unsigned count = 0;
	for (unsigned i = 0; i < sizeof axes / sizeof axes[0]; i++) {
		char name[16];
		if ((axes[i] == PARADL_DATA ? shard : plan->degree[axes[i]]) <= 1)
			continue;
		snprintf(name, sizeof name, "\"%s\"",
			hybrid && axes[i] == PARADL_DATA ? "dp_shard" : mesh_names[axes[i]]);
		tuple_add(names, sizeof names, name);
		count++;
	}
	if (count > 1)
		LINE("mesh[%s]._flatten(\"replicas\")", names);
	snprintf(mesh, 64, "mesh[%s%s%s]", hybrid ? "\"dp_replicate\"" : "", hybrid && count > 0 ? ", " : "",
		count > 1 ? "\"replicas\"" : names);
}

static void tell_fully_shard(struct launch *launch, const struct launch_job *job, const char *mesh)
{
	const bool fp16 = job->precision == PARADL_FP16_MIXED || job->precision == PARADL_FP16;
	const bool fp32 = job->precision == PARADL_FP32 || job->precision == PARADL_TF32;
	const unsigned offload = job->plan->offload & (PARADL_OFFLOAD_OPTIMIZER | PARADL_OFFLOAD_WEIGHTS);
	const char *const freed = job->plan->zero == 3 ? "True" : "False";
	if (strlen(mesh) > 32) { /* with the rest in one line of 80 columns */
		LINE("options = dict(mesh=%s,", mesh);
		LINE("    reshard_after_forward=%s)", freed);
	} else
		LINE("options = dict(mesh=%s, reshard_after_forward=%s)", mesh, freed);
	if (!fp32)
		LINE("options[\"mp_policy\"] = MixedPrecisionPolicy(param_dtype=torch.%s)",
			fp16 ? "float16" : "bfloat16");
	if (offload)
		LINE("options[\"offload_policy\"] = CPUOffloadPolicy()");
	if (offload && offload != (PARADL_OFFLOAD_OPTIMIZER | PARADL_OFFLOAD_WEIGHTS))
		CANNOT("PyTorch's FSDP offloads weights and optimizer together");
	LINE("for block in blocks: fully_shard(block, **options)");
	LINE("fully_shard(model, **options)");
}

static void tell_zero_optimizer(struct launch *launch, const char *mesh)
{
	LINE("optimizer = ZeroRedundancyOptimizer(model.parameters(), Optimizer,");
	LINE("    process_group=%s.get_group())", mesh);
}

static void tell_data(struct launch *launch, const struct launch_job *job, unsigned shard)
{
	const struct paradl_plan *const plan = job->plan;
	char mesh[64];
	if (job->replicas * plan->degree[PARADL_CONTEXT] <= 1)
		return;
	if (shard == 0)
		CANNOT("shard=%u is no part of a mesh; nearest: shard= a multiple of expert and context",
			plan->shard);
	tell_replicas(launch, plan, shard > 0 ? shard : plan->degree[PARADL_DATA], mesh);
	if (plan->zero > 1)
		tell_fully_shard(launch, job, mesh);
	else
		LINE("replicate(model, device_mesh=%s)", mesh);
	if (plan->zero == 1 && shard == plan->degree[PARADL_DATA])
		tell_zero_optimizer(launch, mesh);
	else if (plan->zero == 1)
		CANNOT("PyTorch has no shard=%u with zero=1; nearest: zero=2", plan->shard);
}

static void tell_pipeline(struct launch *launch, const struct launch_job *job)
{
	static const char *const classes[PARADL_SCHEDULE_COUNT] = {"Schedule1F1B", "ScheduleGPipe",
		"Schedule1F1B", "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble",
		"ScheduleInterleavedZeroBubble", "ScheduleZBVZeroBubble"};
	const struct paradl_plan *const plan = job->plan;
	const bool several = plan->schedule >= PARADL_INTERLEAVED;
	const bool gpipe = plan->schedule == PARADL_SCHEDULE_DEFAULT && !(job->dimensions->blocks > 0);
	if (plan->degree[PARADL_PIPELINE] <= 1) {
		LINE("samples, accumulate = %.15g, %.15g", ceil(job->micro), job->micro_batches);
		return;
	}
	if (job->estimate->split_count) {
		char blocks[PARADL_SPLIT_MAX * 7] = "";
		for (unsigned i = 0; i < job->estimate->split_count; i++) {
			char text[8];
			snprintf(text, sizeof text, "%hu", job->estimate->split[i]);
			tuple_add(blocks, sizeof blocks, text);
		}
		LINE("%s_of_stage = [%s]", job->dimensions->blocks > 0 ? "blocks" : "layers", blocks);
	}
	LINE("# micro-batches of %.15g samples each", ceil(job->micro));
	LINE("schedule = %s(%s, n_microbatches=%.15g)", gpipe ? "ScheduleGPipe" : classes[plan->schedule],
		several ? "stages" : "stage", job->micro_batches);
	if (plan->schedule == PARADL_INTERLEAVED)
		LINE("# stages: %u on each device", plan->chunks);
	if (plan->schedule == PARADL_ZERO_BUBBLE || plan->schedule == PARADL_ZERO_BUBBLE_2P)
		CANNOT("PyTorch has zero-bubble schedules with several stages on each device; the plan has "
		       "one");
}

static void tell_tensor(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	if (plan->degree[PARADL_TENSOR] > 1)
		LINE("for block in blocks: parallelize_module(block, mesh[\"tp\"], %s)",
			plan->sequence ? "cut_and_sequence" : "cut");
	if (plan->degree[PARADL_EXPERT] <= 1)
		return;
	const bool joined = !plan->expert_tensor && plan->degree[PARADL_TENSOR] > 1;
	if (joined)
		LINE("mesh[\"ep\", \"tp\"]._flatten(\"experts\")");
	LINE("for block in blocks: parallelize_module(block.moe.experts, mesh[\"%s\"], %s)",
		joined ? "experts" : "ep",
		plan->expert_tensor ? "ExpertTensorParallel()" : "ExpertParallel()");
	if (plan->dispatcher > PARADL_DISPATCHER_ALL_TO_ALL)
		CANNOT("ExpertParallel() of PyTorch sends tokens by all-to-all; nearest: "
		       "dispatcher=alltoall");
}

static void tell_context(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	if (plan->degree[PARADL_CONTEXT] <= 1)
		return;
	if (job->head->model.further_tokens > 0) {
		CANNOT("context_parallel of PyTorch cuts one sequence, and a sample of %s has two",
			job->head->model.name);
		return;
	}
	if (plan->context == PARADL_CONTEXT_ULYSSES)
		CANNOT("PyTorch has no ulysses; nearest: context=%u:gather", plan->degree[PARADL_CONTEXT]);
	LINE("set_rotate_method(\"%s\")", plan->context == PARADL_CONTEXT_RING ? "alltoall" : "allgather");
	LINE("with context_parallel(mesh[\"cp\"], buffers=[tokens, labels], buffer_seq_dims=[1, 1]): step()");
}

static void tell_memory(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	if (plan->recompute == PARADL_RECOMPUTE_FULL && plan->recompute_blocks)
		LINE("for block in blocks[:%u]: checkpoint(block)", plan->recompute_blocks);
	else if (plan->recompute == PARADL_RECOMPUTE_FULL)
		LINE("for block in blocks: checkpoint(block)");
	else if (plan->recompute == PARADL_RECOMPUTE_SELECTIVE)
		LINE("for block in blocks: checkpoint(block.attention.scores)");
	else if (plan->recompute == PARADL_RECOMPUTE_MODULES)
		CANNOT("networks in PyTorch name their modules themselves; nearest: recompute=full");
	if (plan->offload && plan->zero < 2)
		CANNOT("PyTorch offloads with fully_shard only; nearest: zero=3");
	else if (plan->offload & PARADL_OFFLOAD_ACTIVATIONS)
		LINE("with torch.autograd.graph.save_on_cpu(pin_memory=True): step()");
	if (job->precision == PARADL_FP8_MIXED)
		LINE("convert_to_float8_training(model)  # torchao");
	else if (job->precision > PARADL_FP8_MIXED)
		CANNOT("PyTorch has no %s of its own; nearest: fp8-mixed",
			paradl_precision_name(job->precision));
	else if (plan->zero < 2 &&
		 (job->precision == PARADL_BF16_MIXED || job->precision == PARADL_FP16_MIXED))
		LINE("with torch.autocast(\"cuda\", torch.%s): step()",
			job->precision == PARADL_BF16_MIXED ? "bfloat16" : "float16");
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const unsigned images = 1U << PARADL_DATA | 1U << PARADL_PIPELINE;
	const unsigned tokens = images | 1U << PARADL_EXPERT | 1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	const unsigned shard = data_shard(job->plan);
	if (!launch_axes(launch, "PyTorch", job, job->dimensions->blocks > 0 ? tokens : images))
		return;
	launch_torchrun(launch, job, "train.py");
	launch->file_name = "train.py";
	launch->is_for_own = true;
	tell_mesh(launch, job->plan, shard);
	tell_tensor(launch, job);
	tell_memory(launch, job);
	tell_data(launch, job, shard);
	tell_context(launch, job);
	tell_pipeline(launch, job);
	launch_batch(launch, "PyTorch", job);
}

const struct launcher launcher_torchrun = {
	.name = "torchrun",
	.summary = "a device mesh of PyTorch, and the calls that use it",
	.frameworks = "",
	.tell = tell,
};
