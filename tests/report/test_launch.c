/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flags are read back into a plan, as the training programs read them, and compared with the plan they were made of: what
 * differs must have been said. The reader here shares nothing with the writers.
 */
#include "test.h"

#include "base/json.h"
#include "result/launch/launch.h"

enum { PLANS = 4000, NODE = 8, BLOCKS = 96 };

static struct launch launch;
static struct report_head head;
static uint64_t state_of_random = 1;

static unsigned below(unsigned end)
{
	state_of_random = state_of_random * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(state_of_random >> 33) % end;
}

static unsigned power_below(unsigned exponents)
{
	return 1U << below(exponents);
}

static void network(const char *framework)
{
	head = (struct report_head){
		.model = {.name = "Toy",
			.parameters = 1e9,
			.dimensions = {.parameters = 1e9,
				.head_dim = 32,
				.value_dim = 32,
				.feed_forward = 2048,
				.vocabulary = 1000,
				.activation = "silu",
				.norm = "rms",
				.gated = true,
				.blocks = BLOCKS,
				.hidden = 512,
				.tokens = 1024,
				.heads = 16,
				.kv_heads = 8}},
		.machine = {.devices_per_node = NODE, .devices_per_host = NODE},
		.framework = {.name = framework,
			.dispatcher = below(2) ? PARADL_DISPATCHER_ALL_TO_ALL : PARADL_DISPATCHER_DEEPEP,
			.overlaps = PARADL_OVERLAP_GRADIENTS | PARADL_OVERLAP_TENSOR},
		.precision = "bf16-mixed",
	};
}

static struct paradl_plan serial(void)
{
	struct paradl_plan plan = {.batch = 1};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; i++) {
		plan.degree[i] = 1;
		plan.order[i] = (unsigned char)i;
	}
	plan.spatial[0] = plan.spatial[1] = plan.spatial[2] = 1;
	return plan;
}

static void random_order(struct paradl_plan *plan)
{
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; i--) {
		const unsigned j = below(i + 1);
		const unsigned char kept = plan->order[i];
		plan->order[i] = plan->order[j];
		plan->order[j] = kept;
	}
}

static void random_options(struct paradl_plan *plan)
{
	const unsigned pipeline = plan->degree[PARADL_PIPELINE], tensor = plan->degree[PARADL_TENSOR];
	const unsigned replicas =
		plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] * plan->degree[PARADL_CONTEXT];
	plan->micro = power_below(3);
	plan->schedule = (enum paradl_pipeline_schedule)(pipeline > 1 ? below(PARADL_SCHEDULE_COUNT) : 0);
	plan->chunks = plan->schedule == PARADL_INTERLEAVED ? 2 + below(2) : 0;
	plan->zero = below(4);
	plan->shard = plan->zero > 0 && below(2) ? power_below(3) : 0;
	if (plan->shard > replicas)
		plan->shard = 0;
	plan->recompute = (enum paradl_recompute)below(PARADL_RECOMPUTE_COUNT);
	plan->recompute_blocks = plan->recompute == PARADL_RECOMPUTE_FULL ? below(4) : 0;
	plan->sequence = tensor > 1 && below(2);
	plan->expert_tensor = tensor > 1 && below(2);
	plan->dispatcher = tensor > 1 || plan->degree[PARADL_EXPERT] > 1
				   ? (enum paradl_dispatcher)below(PARADL_DISPATCHER_COUNT)
				   : PARADL_DISPATCHER_DEFAULT;
	plan->context = plan->degree[PARADL_CONTEXT] > 1
				? (enum paradl_context_method)below(PARADL_CONTEXT_COUNT)
				: PARADL_CONTEXT_RING;
	plan->offload = below(8);
	if (pipeline > 2 && plan->schedule < PARADL_INTERLEAVED && below(4) == 0) {
		plan->split_count = pipeline;
		for (unsigned i = 0; i < pipeline; i++)
			plan->split[i] = (unsigned short)(BLOCKS / pipeline);
		plan->split[0]--;
		plan->split[below(pipeline - 1) + 1]++;
	}
}

static struct paradl_plan random_plan(void)
{
	struct paradl_plan plan = serial();
	plan.degree[PARADL_DATA] = power_below(5);
	plan.degree[PARADL_PIPELINE] = power_below(4);
	plan.degree[PARADL_EXPERT] = head.model.dimensions.experts > 0 ? power_below(3) : 1;
	plan.degree[PARADL_CONTEXT] = power_below(3);
	plan.degree[PARADL_TENSOR] = power_below(4);
	if (below(2))
		random_order(&plan);
	random_options(&plan);
	plan.batch = plan.micro * plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT] * (1 + below(16));
	return plan;
}

static double devices_of(const struct paradl_plan *plan)
{
	double devices = 1;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; i++)
		devices *= plan->degree[i];
	return devices;
}

static void tell(const struct launcher *launcher, const struct paradl_plan *plan)
{
	const double replicas = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	struct paradl_estimate estimate = {
		.plan = *plan,
		.devices = (unsigned)devices_of(plan),
		.local_batch = plan->batch / replicas,
		.micro_batches = plan->batch / replicas / (plan->micro > 0 ? plan->micro : 1),
		.fits = true,
		.capacity_bytes = 80e9,
		.memory_bytes = 40e9,
		.memory = {.weights_bytes = 20e9, .cache_bytes = 15e9},
		.inference = {.prompts_s = launcher->serves,
			.prompt_tokens = 1024,
			.output_tokens = 128,
			.largest_batch = 64 * replicas},
	};
	estimate.split_count = plan->split_count;
	memcpy(estimate.split, plan->split, sizeof plan->split);
	head.launcher = launcher;
	head.inference = launcher->serves;
	assert_true(launch_plan(&launch, &head, &estimate));
	assert_true(launch.length < LAUNCH_BYTES / 2);
	assert_true(launch.flags.count < LAUNCH_ITEMS && launch.file.count < LAUNCH_ITEMS);
}

/* What follows `name` in an item of a list; NULL: in none. */
static const char *after(const struct launch_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->items[i], name, strlen(name)) == 0)
			return list->items[i] + strlen(name);
	return NULL;
}

static bool is(const struct launch_list *list, const char *name, const char *value)
{
	const char *const found = after(list, name);
	return found && strcmp(found, value) == 0;
}

static unsigned number(const struct launch_list *list, const char *name, unsigned absent)
{
	const char *const found = after(list, name);
	return found ? (unsigned)strtoul(found, NULL, 10) : absent;
}

static bool said(const char *word)
{
	for (size_t i = 0; i < launch.cannot.count; i++)
		if (strstr(launch.cannot.items[i], word))
			return true;
	return false;
}

static void same_or_said(const struct paradl_plan *plan, bool same, const char *word)
{
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(plan, text, sizeof text);
	if (!same && !said(word))
		fail_msg("%s, %s: %s", head.launcher->name, text, word);
}

/* Devices from one of an axis to the next. */
static unsigned stride(const struct paradl_plan *plan, unsigned axis)
{
	unsigned devices = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0 && plan->order[i] != axis;)
		devices *= plan->degree[plan->order[i]];
	return devices;
}

static bool same_places(const struct paradl_plan *a, const struct paradl_plan *b)
{
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; axis++)
		if (a->degree[axis] != b->degree[axis] ||
			(a->degree[axis] > 1 && stride(a, axis) != stride(b, axis)))
			return false;
	return true;
}

static void check_degrees(const struct paradl_plan *plan, const struct paradl_plan *read)
{
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; axis++)
		if (read->degree[axis] != plan->degree[axis])
			fail_msg("%s: axis %u has %u, not %u", head.launcher->name, axis, read->degree[axis],
				plan->degree[axis]);
	same_or_said(plan, same_places(plan, read), "nests");
}

static unsigned world(const char *nodes, const char *processes)
{
	return number(&launch.command, nodes, 0) * number(&launch.command, processes, 0);
}

/* What programs on Megatron's groups call the same things. */
struct names {
	const char *tensor, *pipeline, *context, *experts, *expert_tensor, *micro, *batch;
};

static struct paradl_plan read_degrees(const struct names *names, unsigned devices)
{
	struct paradl_plan read = serial();
	const struct launch_list *const flags = &launch.flags;
	const unsigned tensor = number(flags, names->tensor, 1),
		       pieces = number(flags, names->expert_tensor, tensor);
	read.degree[PARADL_TENSOR] = tensor;
	read.degree[PARADL_PIPELINE] = number(flags, names->pipeline, 0);
	read.degree[PARADL_CONTEXT] = number(flags, names->context, 1);
	if (after(flags, names->experts))
		read.degree[PARADL_EXPERT] = number(flags, names->experts, 0) * pieces / tensor;
	const double others = devices_of(&read);
	read.degree[PARADL_DATA] = (unsigned)(devices / others);
	read.batch = number(flags, names->batch, 0);
	read.micro = number(flags, names->micro, 0);
	/* Pipeline outermost, then as paradl has it. */
	read.order[0] = PARADL_PIPELINE;
	read.order[1] = PARADL_DATA;
	return read;
}

static void check_batch(const struct paradl_plan *plan, const struct paradl_plan *read)
{
	assert_close(read->batch, plan->batch, 1e-12);
	assert_close(read->micro, plan->micro, 1e-12);
}

static void check_schedule(const struct paradl_plan *plan, bool one_chunk, unsigned chunks)
{
	const bool plain = plan->schedule == PARADL_SCHEDULE_DEFAULT || plan->schedule == PARADL_1F1B;
	same_or_said(plan, plan->schedule == PARADL_INTERLEAVED ? chunks == plan->chunks : plain && one_chunk,
		"schedule");
}

/* Reads t and t*N up to the end of a stage or a parenthesis; returns the blocks. */
static unsigned read_stage(const char **text)
{
	unsigned blocks = 0;
	while (**text == 'E' || **text == 't') {
		const bool is_block = *(*text)++ == 't';
		char *end = NULL;
		blocks += !is_block ? 0 : **text == '*' ? (unsigned)strtoul(*text + 1, &end, 10) : 1;
		*text = end ? end : *text;
	}
	return blocks;
}

/* Reads a layout as Megatron-Core does: the stages, in order, have the blocks of the plan, E first and L last. */
static void check_layout(const struct paradl_plan *plan, const char *text)
{
	unsigned stage = 0;
	assert_non_null(text);
	assert_true(strncmp(text, "'E", 2) == 0 && strstr(text, "L'"));
	for (text++; *text != '\''; text++) {
		const bool repeats = *text == '(';
		text += repeats;
		const unsigned blocks = read_stage(&text);
		char *end = NULL;
		unsigned long times = 1;
		assert_true(*text == '|' || (*text == 'L' && !repeats));
		if (repeats) {
			assert_int_equal(strncmp(text, "|)*", 3), 0);
			times = strtoul(text + 3, &end, 10);
			text = end - 1;
		}
		for (; times > 0; times--)
			assert_int_equal(blocks, plan->split[stage++]);
	}
	assert_int_equal(stage, plan->split_count);
}

static void check_megatron_stages(const struct paradl_plan *plan)
{
	const struct launch_list *const flags = &launch.flags;
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	const unsigned blocks = number(flags, "--num-layers-per-virtual-pipeline-stage ", 0);
	const bool joined = after(flags, "--account-for-loss-in-pipeline-split");
	const unsigned all = BLOCKS + (joined ? 2 : 0), chunks = blocks ? all / blocks / stages : 1;
	check_schedule(plan, chunks == 1, chunks);
	if (plan->split_count)
		check_layout(plan, after(flags, "--pipeline-model-parallel-layout "));
	else if (chunks == 1 || plan->schedule == PARADL_INTERLEAVED)
		same_or_said(plan, all % (stages * chunks) == 0, "deal");
}

static void check_megatron_memory(const struct paradl_plan *plan)
{
	static const char *const strategies[] = {"", "", "optim_grads", "optim_grads_params"};
	const struct launch_list *const flags = &launch.flags;
	const char *const strategy = after(flags, "--data-parallel-sharding-strategy ");
	const unsigned replicas =
		plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] * plan->degree[PARADL_CONTEXT];
	const unsigned copies = number(flags, "--num-distributed-optimizer-instances ", 1);
	const unsigned chunks = plan->schedule == PARADL_INTERLEAVED ? plan->chunks : 1;
	assert_int_equal(after(flags, "--use-distributed-optimizer") != NULL, plan->zero > 0);
	assert_true(plan->zero < 2 ? !strategy : strategy && strcmp(strategy, strategies[plan->zero]) == 0);
	same_or_said(plan, !plan->shard || replicas / copies == plan->shard, "shard=");
	const char *const granularity = after(flags, "--recompute-granularity ");
	assert_int_equal(
		granularity && strcmp(granularity, "full") == 0, plan->recompute == PARADL_RECOMPUTE_FULL);
	assert_int_equal(granularity && strcmp(granularity, "selective") == 0,
		plan->recompute == PARADL_RECOMPUTE_SELECTIVE || plan->recompute == PARADL_RECOMPUTE_MODULES);
	assert_int_equal(
		after(flags, "--recompute-modules ") != NULL, plan->recompute == PARADL_RECOMPUTE_MODULES);
	if (plan->recompute_blocks) {
		assert_true(is(flags, "--recompute-method ", "block"));
		same_or_said(plan,
			number(flags, "--recompute-num-layers ", 0) * chunks == plan->recompute_blocks,
			"recomputes");
	}
	assert_int_equal(after(flags, "--optimizer-cpu-offload") != NULL,
		(plan->offload & PARADL_OFFLOAD_OPTIMIZER) != 0);
	same_or_said(plan, !(plan->offload & PARADL_OFFLOAD_WEIGHTS), "offload=weights");
	same_or_said(plan, !(plan->offload & PARADL_OFFLOAD_ACTIVATIONS), "offload=activations");
}

static void read_mapping(const struct paradl_plan *plan, struct paradl_plan *read, bool data_outside)
{
	if (!data_outside)
		return;
	assert_int_equal(plan->degree[PARADL_EXPERT], 1);
	read->order[0] = PARADL_DATA;
	read->order[1] = PARADL_PIPELINE;
}

/* Who carries tokens, by the flags after `type` and `backend`. */
static void check_dispatcher(const struct paradl_plan *plan, const char *type, const char *backend)
{
	const struct launch_list *const flags = &launch.flags;
	const enum paradl_dispatcher dispatcher =
		plan->dispatcher == PARADL_DISPATCHER_DEFAULT ? head.framework.dispatcher : plan->dispatcher;
	if (!(head.model.dimensions.experts > 0))
		return;
	assert_non_null(after(flags, type));
	assert_int_equal(is(flags, type, "alltoall"), dispatcher == PARADL_DISPATCHER_ALL_TO_ALL);
	assert_int_equal(is(flags, backend, "deepep"), dispatcher == PARADL_DISPATCHER_DEEPEP);
	assert_int_equal(is(flags, backend, "hybridep"), dispatcher == PARADL_DISPATCHER_HYBRIDEP);
}

static void check_megatron(const struct paradl_plan *plan)
{
	static const struct names names = {"--tensor-model-parallel-size ", "--pipeline-model-parallel-size ",
		"--context-parallel-size ", "--expert-model-parallel-size ", "--expert-tensor-parallel-size ",
		"--micro-batch-size ", "--global-batch-size "};
	static const char *const ways[] = {"p2p", "all_gather", "a2a"};
	const struct launch_list *const flags = &launch.flags;
	struct paradl_plan read = read_degrees(&names, world("--nnodes=", "--nproc-per-node="));
	read_mapping(plan, &read, after(flags, "--use-tp-pp-dp-mapping") != NULL);
	check_degrees(plan, &read);
	check_batch(plan, &read);
	check_megatron_stages(plan);
	check_megatron_memory(plan);
	check_dispatcher(plan, "--moe-token-dispatcher-type ", "--moe-flex-dispatcher-backend ");
	assert_int_equal(after(flags, "--sequence-parallel") != NULL, plan->sequence);
	if (plan->degree[PARADL_CONTEXT] > 1)
		assert_true(is(flags, "--cp-comm-type ", ways[plan->context]));
	if (head.model.dimensions.experts > 0)
		assert_int_equal(number(flags, "--expert-tensor-parallel-size ", 0),
			plan->expert_tensor ? plan->degree[PARADL_TENSOR] : 1);
}

static void check_nemo(const struct paradl_plan *plan)
{
	const bool bridge = strcmp(head.framework.name, "nemo-bridge") == 0;
	const struct names names = {"model.tensor_model_parallel_size=",
		"model.pipeline_model_parallel_size=", "model.context_parallel_size=",
		"model.expert_model_parallel_size=", "model.expert_tensor_parallel_size=",
		bridge ? "train.micro_batch_size=" : "model.micro_batch_size=",
		bridge ? "train.global_batch_size=" : "model.global_batch_size="};
	const struct launch_list *const flags = &launch.flags;
	struct paradl_plan read = read_degrees(&names, world("--nnodes=", "--nproc-per-node="));
	const unsigned chunks = number(flags, "model.virtual_pipeline_model_parallel_size=", 1);
	if (!bridge &&
		!plan->expert_tensor) { /* experts are dealt out along tensor, which this one has no key for */
		same_or_said(plan, plan->degree[PARADL_TENSOR] == 1 || !(head.model.dimensions.experts > 0),
			"experts");
		read.degree[PARADL_EXPERT] = plan->degree[PARADL_EXPERT];
		read.degree[PARADL_DATA] = plan->degree[PARADL_DATA];
	}
	read_mapping(plan, &read,
		is(flags, bridge ? "dist.use_tp_pp_dp_mapping=" : "model.use_tp_pp_dp_mapping=", "true"));
	check_degrees(plan, &read);
	check_batch(plan, &read);
	check_schedule(plan, chunks == 1, chunks);
	if (bridge)
		check_dispatcher(
			plan, "model.moe_token_dispatcher_type=", "model.moe_flex_dispatcher_backend=");
	if (bridge && plan->split_count)
		check_layout(plan, after(flags, "\"model.pipeline_model_parallel_layout="));
	same_or_said(plan, bridge || !plan->split_count, "equal blocks");
	same_or_said(plan,
		!plan->shard || said("shard=") ||
			plan->shard == plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] *
					       plan->degree[PARADL_CONTEXT],
		"shard=");
	assert_true(is(flags, "model.sequence_parallel=", plan->sequence ? "true" : "false"));
	if (!bridge)
		assert_int_equal(
			number(flags, "trainer.num_nodes=", 0) * number(flags, "trainer.devices=", 0),
			world("--nnodes=", "--nproc-per-node="));
}

static const struct json *read_file(struct paradl_arena *arena)
{
	struct paradl_error error = {0};
	char text[LAUNCH_BYTES] = "";
	size_t length = 0;
	for (size_t i = 0; i < launch.file.count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", launch.file.items[i]);
	const struct json *const root = json_parse(arena, text, length, launch.file_name, &error);
	if (!root)
		fail_msg("%s", error.message);
	return root;
}

static double member(const struct json *object, const char *key)
{
	const struct json *const found = json_member(object, key);
	return found ? found->number : -1;
}

static void check_deepspeed(const struct paradl_plan *plan)
{
	static const struct names names = {"--tensor-model-parallel-size ", "--pipeline-model-parallel-size ",
		"--ds-sequence-parallel-size ", "--moe-expert-parallel-size ", "none", "--micro-batch-size ",
		"--global-batch-size "};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct json *const file = read_file(arena);
	const struct json *const zero = json_member(file, "zero_optimization");
	const struct paradl_plan read = read_degrees(&names, world("--num_nodes=", "--num_gpus="));
	check_degrees(plan, &read);
	check_batch(plan, &read);
	check_schedule(plan, true, 1);
	/* As DeepSpeed checks its own configuration. */
	assert_close(member(file, "train_batch_size"),
		member(file, "train_micro_batch_size_per_gpu") * member(file, "gradient_accumulation_steps") *
			read.degree[PARADL_DATA] * read.degree[PARADL_EXPERT],
		1e-12);
	assert_int_equal((int)member(zero, "stage"), (int)plan->zero);
	assert_int_equal(number(&launch.flags, "--zero-stage ", 9), plan->zero);
	same_or_said(plan,
		!(plan->offload & PARADL_OFFLOAD_OPTIMIZER) || json_member(zero, "offload_optimizer"),
		"offload=optimizer");
	same_or_said(plan, !(plan->offload & PARADL_OFFLOAD_WEIGHTS) || json_member(zero, "offload_param"),
		"offload=weights");
	same_or_said(plan,
		!plan->shard || (int)member(zero, "mics_shard_size") == (int)plan->shard ||
			plan->shard == plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] *
					       plan->degree[PARADL_CONTEXT],
		"shard=");
	same_or_said(plan, plan->degree[PARADL_CONTEXT] == 1 || plan->context == PARADL_CONTEXT_ULYSSES,
		"ulysses");
	same_or_said(plan, !plan->split_count, "split=");
	paradl_arena_free(arena);
}

/* mesh = init_device_mesh("cuda", (4, 2, 8),
 *     mesh_dim_names=("dp", "pp", "tp")) */
static struct paradl_plan read_mesh(void)
{
	static const struct {
		const char *name;
		enum paradl_axis axis;
	} axes[] = {{"dp_replicate", PARADL_DATA}, {"dp_shard", PARADL_DATA}, {"dp", PARADL_DATA},
		{"pp", PARADL_PIPELINE}, {"ep", PARADL_EXPERT}, {"cp", PARADL_CONTEXT},
		{"tp", PARADL_TENSOR}};
	struct paradl_plan read = serial();
	const char *sizes = after(&launch.file, "mesh = init_device_mesh(\"cuda\", (");
	const char *names = after(&launch.file, "    mesh_dim_names=(");
	bool seen[PARADL_AXIS_COUNT] = {false};
	unsigned count = 0;
	while (sizes && names && *names == '"') {
		char name[16], *end;
		const size_t length = strcspn(++names, "\"");
		snprintf(name, sizeof name, "%.*s", (int)length, names);
		for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
			if (strcmp(axes[i].name, name) != 0)
				continue;
			read.degree[axes[i].axis] *= (unsigned)strtoul(sizes, &end, 10);
			if (!seen[axes[i].axis])
				read.order[count++] = (unsigned char)axes[i].axis;
			seen[axes[i].axis] = true;
		}
		sizes += strcspn(sizes, " )");
		sizes += *sizes == ' ';
		names += length + 1;
		names += strspn(names, ", ");
	}
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; axis++)
		if (!seen[axis])
			read.order[count++] = (unsigned char)axis;
	return read;
}

static void check_torchrun(const struct paradl_plan *plan)
{
	const struct paradl_plan read = read_mesh();
	const struct launch_list *const file = &launch.file;
	const unsigned replicas =
		plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] * plan->degree[PARADL_CONTEXT];
	check_degrees(plan, &read);
	assert_true(same_places(plan, &read));
	assert_int_equal(world("--nnodes=", "--nproc-per-node="), (unsigned)devices_of(plan));
	assert_int_equal(after(file, "fully_shard(model") != NULL, plan->zero > 1 && replicas > 1);
	assert_int_equal(after(file, "set_rotate_method") != NULL, plan->degree[PARADL_CONTEXT] > 1);
	assert_int_equal(after(file, "schedule = ") != NULL, plan->degree[PARADL_PIPELINE] > 1);
	same_or_said(plan, plan->context != PARADL_CONTEXT_ULYSSES, "ulysses");
	same_or_said(plan, !plan->offload || replicas == 1 || plan->zero > 1, "offloads");
}

static void run(
	const struct launcher *launcher, const char *framework, void (*check)(const struct paradl_plan *plan))
{
	for (unsigned i = 0; i < PLANS; i++) {
		network(framework);
		if (i % 2)
			head.model.dimensions.experts = 64, head.model.dimensions.top_k = 2;
		const struct paradl_plan plan = random_plan();
		tell(launcher, &plan);
		assert_true(launch.command.count > 0);
		check(&plan);
	}
}

/* Flags that have no room are not left out: the plan is not told. */
static void test_too_long(void **state)
{
	static char name[2 * LAUNCH_BYTES];
	const struct paradl_plan plan = serial();
	(void)state;
	memset(name, 'n', sizeof name - 1);
	network("megatron-core");
	head.model.name = name;
	head.model.dimensions.parameters = 1;
	tell(&launcher_megatron, &plan);
	assert_int_equal(launch.command.count + launch.flags.count + launch.file.count, 0);
	assert_int_equal(launch.cannot.count, 1);
	assert_true(said("shorter names"));
}

static void test_megatron(void **state)
{
	(void)state;
	run(&launcher_megatron, "megatron-core", check_megatron);
}

static void test_nemo(void **state)
{
	(void)state;
	run(&launcher_nemo, "nemo-2024", check_nemo);
	run(&launcher_nemo, "nemo-bridge", check_nemo);
}

static void test_deepspeed(void **state)
{
	(void)state;
	run(&launcher_deepspeed, "deepspeed", check_deepspeed);
}

/* Reads the numbers of blocks of stages from the lines of torchtitan's module that follow their name. */
static void check_blocks_of_module(const struct paradl_plan *plan)
{
	const struct launch_list *const file = &launch.file;
	unsigned stage = 0;
	size_t line = 0;
	while (line < file->count &&
		strncmp(file->items[line], "    blocks = [", strlen("    blocks = [")) != 0)
		line++;
	for (line++; line < file->count && file->items[line][4] != ']'; line++) {
		const char *at = file->items[line];
		for (int read = 0; sscanf(at, " %*u,%n", &read) == 0 && read > 0;
			at += read, read = 0, stage++)
			assert_int_equal(strtoul(at, NULL, 10), plan->split[stage]);
	}
	assert_int_equal(stage, plan->split_count);
}

/* Plans of llama and of a mixture of experts read back from torchtitan's options; networks that it has not have no launch. */
static void check_torchtitan(const struct paradl_plan *plan)
{
	const struct launch_list *const flags = &launch.flags;
	const unsigned replicas = number(flags, "--parallelism.data_parallel_replicate_degree ", 0),
		       shard = number(flags, "--parallelism.data_parallel_shard_degree ", 0);
	const char *const reshard = after(flags, "--parallelism.fsdp_reshard_after_forward ");
	struct paradl_plan read = serial();
	read.degree[PARADL_TENSOR] = number(flags, "--parallelism.tensor_parallel_degree ", 0);
	read.degree[PARADL_PIPELINE] = number(flags, "--parallelism.pipeline_parallel_degree ", 1);
	read.degree[PARADL_CONTEXT] = number(flags, "--parallelism.context_parallel_degree ", 1);
	read.degree[PARADL_EXPERT] = number(flags, "--parallelism.expert_parallel_degree ", 1);
	if (head.model.dimensions.experts > 0 && !plan->expert_tensor)
		read.degree[PARADL_EXPERT] /= read.degree[PARADL_TENSOR];
	read.degree[PARADL_DATA] = replicas * shard / read.degree[PARADL_EXPERT];
	read.order[0] = PARADL_PIPELINE;
	read.order[1] = PARADL_DATA;
	check_degrees(plan, &read);
	same_or_said(plan, !plan->expert_tensor || !(head.model.dimensions.experts > 0), "experts=tensor");
	same_or_said(plan, plan->zero > 0 || read.degree[PARADL_EXPERT] == 1, "share weights");
	assert_int_equal(world("--nnodes=", "--nproc-per-node="), (unsigned)devices_of(plan));
	assert_close(number(flags, "--training.global_batch_size ", 0), plan->batch, 1e-12);
	same_or_said(plan, !plan->shard || shard * plan->degree[PARADL_CONTEXT] == plan->shard, "shard=");
	same_or_said(plan, plan->zero != 1, "zero=2");
	assert_int_equal(reshard && strcmp(reshard, "always") == 0, plan->zero == 3);
	same_or_said(
		plan, plan->context != PARADL_CONTEXT_ULYSSES || plan->degree[PARADL_CONTEXT] == 1, "heads");
	same_or_said(plan, !plan->recompute_blocks, "recomputes");
	check_blocks_of_module(plan);
	assert_non_null(after(&launch.file, "def network"));
}

static void test_torchtitan(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PLANS; i++) {
		network("torchtitan");
		struct paradl_dimensions *const of = &head.model.dimensions;
		of->head_dim = of->hidden / of->heads;
		if (i % 2)
			of->experts = 64, of->top_k = 2, of->expert_width = 256;
		const struct paradl_plan plan = random_plan();
		tell(&launcher_torchtitan, &plan);
		check_torchtitan(&plan);
		assert_non_null(after(&launch.file, i % 2 ? "    layers = family._build_qwen3_moe_layers("
							  : "    layers = family._build_llama3_layers("));
	}
	head.model.dimensions.experts = 8;
	head.model.dimensions.dense_blocks = 1;
	const struct paradl_plan plan = serial();
	tell(&launcher_torchtitan, &plan);
	assert_true(launch.command.count == 0 && said("blocks without experts"));
}

static void test_torchrun(void **state)
{
	(void)state;
	run(&launcher_torchrun, "nccl", check_torchrun);
}

/* What a program cannot cut is no launch, and is said. */
static void test_axes(void **state)
{
	(void)state;
	for (size_t i = 0; launchers[i]; i++) {
		static const enum paradl_axis axes[] = {PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
		static const char *const names[] = {"filter", "channel", "spatial"};
		for (size_t j = 0; j < 3; j++) {
			struct paradl_plan plan = serial();
			network("nccl");
			plan.degree[axes[j]] = 4;
			tell(launchers[i], &plan);
			assert_int_equal(launch.command.count, 0);
			assert_int_equal(launch.flags.count, 0);
			assert_true(said(names[j]));
		}
	}
}

/* Networks without blocks run with PyTorch alone. */
static void test_images(void **state)
{
	(void)state;
	for (size_t i = 0; launchers[i]; i++) {
		struct paradl_plan plan = serial();
		network("nccl");
		head.model.dimensions = (struct paradl_dimensions){0};
		plan.degree[PARADL_DATA] = 64;
		plan.batch = 64;
		tell(launchers[i], &plan);
		assert_int_equal(launch.command.count > 0, launchers[i] == &launcher_torchrun);
		assert_true(
			launch.command.count > 0 || said(launchers[i]->serves ? "transformers" : "torchrun"));
	}
}

static void test_default(void **state)
{
	(void)state;
	assert_ptr_equal(launcher_of("megatron-core"), &launcher_megatron);
	assert_ptr_equal(launcher_of("megatron-deepspeed+blocking"), &launcher_deepspeed);
	assert_ptr_equal(launcher_of("deepspeed"), &launcher_deepspeed);
	assert_ptr_equal(launcher_of("nemo-bridge+graphs"), &launcher_nemo);
	assert_ptr_equal(launcher_of("nccl"), &launcher_torchrun);
	assert_ptr_equal(launcher_of(""), &launcher_torchrun);
}

/* Samples that do not divide, precisions, and nodes that devices do not fill. */
static void test_limits(void **state)
{
	(void)state;
	struct paradl_plan plan = serial();
	network("megatron-core");
	plan.degree[PARADL_DATA] = 12;
	plan.batch = 30;
	tell(&launcher_megatron, &plan);
	assert_true(said("micro-batches"));
	assert_int_equal(world("--nnodes=", "--nproc-per-node="), 12);
	plan.batch = 24;
	plan.micro = 2;
	tell(&launcher_megatron, &plan);
	assert_false(said("micro-batches"));
	assert_non_null(after(&launch.flags, "--overlap-grad-reduce"));
	plan.apart = PARADL_OVERLAP_GRADIENTS;
	tell(&launcher_megatron, &plan);
	assert_null(after(&launch.flags, "--overlap-grad-reduce"));
	head.precision = "mxfp8-mixed";
	tell(&launcher_megatron, &plan);
	assert_true(is(&launch.flags, "--fp8-recipe ", "blockwise"));
	head.machine.has_precision[PARADL_FP4_MIXED] = true;
	tell(&launcher_megatron, &plan);
	assert_true(is(&launch.flags, "--fp8-recipe ", "mxfp8"));
	head.precision = "fp4-mixed";
	tell(&launcher_megatron, &plan);
	assert_true(said("fp4-mixed"));
	head.precision = "fp32";
	tell(&launcher_megatron, &plan);
	assert_null(after(&launch.flags, "--bf16"));
}

/* The network's own shape is in the flags, and what no flag says is said. */
static void test_networks(void **state)
{
	(void)state;
	struct paradl_plan plan = serial();
	struct paradl_dimensions *const of = &head.model.dimensions;
	network("megatron-core");
	tell(&launcher_megatron, &plan);
	assert_true(is(&launch.flags, "--ffn-hidden-size ", "2048"));
	assert_true(is(&launch.flags, "--vocab-size ", "1000"));
	assert_true(is(&launch.flags, "--normalization ", "RMSNorm"));
	assert_non_null(after(&launch.flags, "--swiglu"));
	assert_non_null(after(&launch.flags, "--untie-embeddings-and-output-weights"));
	assert_null(after(&launch.flags, "--kv-channels"));
	assert_true(is(&launch.flags, "--hidden-dropout ", "0"));
	assert_int_equal(launch.cannot.count, 0);
	of->dropout = .1;
	of->attention_dropout = .2;
	tell(&launcher_megatron, &plan);
	assert_true(is(&launch.flags, "--hidden-dropout ", "0.1"));
	assert_true(is(&launch.flags, "--attention-dropout ", "0.2"));
	tell(&launcher_torchtitan, &plan);
	assert_true(said("drop nothing"));
	of->dropout = of->attention_dropout = 0;
	of->head_dim = of->value_dim = 64;
	of->tied = of->qk_norm = of->qkv_bias = true;
	tell(&launcher_megatron, &plan);
	assert_true(is(&launch.flags, "--kv-channels ", "64"));
	assert_non_null(after(&launch.flags, "--qk-layernorm"));
	assert_non_null(after(&launch.flags, "--add-qkv-bias"));
	assert_null(after(&launch.flags, "--untie-embeddings-and-output-weights"));
	tell(&launcher_deepspeed, &plan);
	assert_true(said("norms of queries"));
	of->activation = "gelu";
	for (size_t i = 0; launchers[i]; i++) {
		tell(launchers[i], &plan);
		/* Engines build what the checkpoint says. */
		assert_int_equal(said("gated"), launchers[i] != &launcher_torchrun && !launchers[i]->serves);
	}
	head.model.parameters = 2e9;
	tell(&launcher_megatron, &plan);
	assert_true(said("its blocks differ"));
	of->beyond = "sinks";
	tell(&launcher_megatron, &plan);
	assert_true(said("sinks"));
	plan.degree[PARADL_TENSOR] = 3;
	tell(&launcher_megatron, &plan);
	assert_true(said("16 heads out to tensor=3"));
}

/* Nothing is started where nothing is asked for, or nothing fits. */
static void test_silence(void **state)
{
	(void)state;
	struct paradl_estimate estimate = {
		.plan = serial(), .devices = 1, .local_batch = 1, .micro_batches = 1, .fits = true};
	network("nccl");
	assert_false(launch_plan(&launch, &head, &estimate));
	head.launcher = &launcher_torchrun;
	assert_true(launch_plan(&launch, &head, &estimate));
	head.inference = true;
	assert_false(launch_plan(&launch, &head, &estimate));
	head.inference = false;
	estimate.fits = false;
	assert_false(launch_plan(&launch, &head, &estimate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_megatron),
		cmocka_unit_test(test_nemo),
		cmocka_unit_test(test_deepspeed),
		cmocka_unit_test(test_torchtitan),
		cmocka_unit_test(test_torchrun),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_networks),
		cmocka_unit_test(test_silence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
