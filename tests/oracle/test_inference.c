/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference against what can be worked out by hand: bytes over memory rate, flop over peak, published sizes of caches. */
#include "oracle/shipped.h"

#define LEVELS                                                                                               \
	"{\"name\": \"node\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"100 GB/s\"},"          \
	"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"10 us\", \"bandwidth\": \"10 GB/s\"}"
/* 100 Tflop/s and 1 TB/s, no launch: kernels take max(flop / peak, bytes / rate). */
#define DEVICE                                                                                               \
	"\"memory\": \"1000 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 Tflop/s\", "       \
	"\"fp16\": \"100 Tflop/s\", \"bf16\": \"100 Tflop/s\", \"fp8\": \"100 Tflop/s\"}, \"contraction\": " \
	"{\"efficiency\": 1}, \"attention\": {\"forward\": 1, \"backward\": 1}"

static struct paradl_oracle *oracle_of(struct setup *setup, const struct paradl_model *model,
	const struct paradl_machine *machine, const struct paradl_framework *framework, double prompt,
	double answer)
{
	const struct paradl_options options = {
		.inference = true, .prompt_tokens = prompt, .output_tokens = answer};
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static const struct paradl_machine *shipped_hw(struct setup *setup, const char *name)
{
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = arena_printf(setup->arena, "hw-profiles/%s.json", name)},
		&setup->error);
	if (!machine)
		fail_msg("%s: %s", name, setup->error.message);
	return machine;
}

/* On the device of 100 Tflop/s and 1 TB/s. */
static struct paradl_oracle *simple(struct setup *setup, const char *model, double prompt, double answer)
{
	return oracle_of(setup, shipped_model(setup, model), setup_machine(setup, DEVICE, LEVELS),
		setup_framework(setup, ""), prompt, answer);
}

static struct paradl_estimate served(struct paradl_oracle *oracle, const char *plan, double batch)
{
	const struct paradl_plan parsed = setup_plan(plan, batch);
	return setup_estimate(oracle, &parsed);
}

/* Keys and values of one token: 2 x layers x kv heads x 128 x 2 bytes; DeepSeek-V3 61 x (512 + 64) x 2 (its paper). */
static void caches_are_as_published(void **state)
{
	static const struct {
		const char *model;
		double bytes;
	} cases[] = {{"llama2-7b", 524288}, {"llama3-8b", 131072}, {"llama2-70b", 327680},
		{"llama3-70b", 327680}, {"mixtral-8x7b", 131072}, {"deepseek-v3", 61 * 576 * 2}};
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, cases[i].model),
			setup_machine(setup, DEVICE, LEVELS), setup_framework(setup, ""), 512, 128);
		const struct paradl_estimate got = served(oracle, "serial", 3);
		assert_close(got.inference.cache_bytes_per_token, cases[i].bytes, 1e-12);
		assert_close(got.memory.cache_bytes, 3 * 640 * cases[i].bytes, 1e-12);
	}
}

/* A window keeps no more than itself: what is said of a token times the tokens is what is held. */
static void caches_of_windows_are_as_held(void **state)
{
	struct setup *const setup = *state;
	struct paradl_estimate got[2];
	for (unsigned i = 0; i < 2; ++i) {
		const struct paradl_model *const model = setup_model(setup, "\"input\": {\"tokens\": 1024}",
			arena_printf(setup->arena,
				"{\"type\": \"embedding\", \"rows\": 1000, \"out\": 512}, {\"type\": "
				"\"attention\", "
				"\"heads\": 4%s}, {\"type\": \"head\", \"out\": 1000}, {\"type\": \"loss\", "
				"\"kind\": "
				"\"cross-entropy\"}",
				i ? ", \"window\": 64" : ""));
		got[i] = served(oracle_of(setup, model, setup_machine(setup, DEVICE, LEVELS),
					setup_framework(setup, ""), 960, 128),
			"serial", 3);
		assert_close(
			got[i].memory.cache_bytes, 3 * 1088 * got[i].inference.cache_bytes_per_token, 1e-12);
	}
	assert_close(got[1].memory.cache_bytes, got[0].memory.cache_bytes * 64 / 1088, 1e-12);
}

/* A prompt longer than a chunk is read in steps of one chunk, and has the activations of one. */
static void activations_are_those_of_a_chunk(void **state)
{
	const double one =
		served(simple(*state, "llama2-7b", 512, 100), "serial,chunk=512", 1).memory.activations_bytes;
	for (double prompt = 1024; prompt <= 4096; prompt *= 2) {
		struct paradl_oracle *const oracle = simple(*state, "llama2-7b", prompt, 100);
		assert_close(served(oracle, "serial,chunk=512", 1).memory.activations_bytes, one, 1e-12);
		assert_close(served(oracle, "serial,chunk=1024", 1).memory.activations_bytes, 2 * one, 1e-12);
	}
}

/* Engines deal blocks out, whatever prompts are asked: 61 over 8 stages, of which five before the last have one more. */
static void stages_are_dealt_out(void **state)
{
	static const unsigned short split[] = {7, 7, 8, 8, 8, 8, 8, 7};
	for (double prompt = 64; prompt <= 4096; prompt *= 4) {
		const struct paradl_estimate got =
			served(simple(*state, "deepseek-v3", prompt, 100), "pipeline=8", 8);
		assert_int_equal(got.split_count, 8);
		assert_memory_equal(got.split, split, sizeof split);
	}
}

/*
 * Llama-2-7B by hand, one sequence. Of each token: h 4096, f 11008, 32 layers, V 32000; every product is bound by its
 * weights (one flop for each byte, the device does 100), attention by the cache.
 */
static void one_token_reads_weights_and_cache(void **state)
{
	const double h = 4096, f = 11008, vocabulary = 32000, prompt = 1000, answer = 100, rate = 1e12;
	struct paradl_oracle *const oracle = simple(*state, "llama2-7b", prompt, answer);
	const struct paradl_estimate got = served(oracle, "serial", 1);
	const double qkv = h * 3 * h + h + 3 * h, out = h * h + 2 * h;
	const double mlp = h * 2 * f + h + 2 * f + f * h + f + h, head = h * vocabulary + h + vocabulary;
	const double keys = prompt + answer / 2;
	const double attention = keys * 2 * h + 2 * h; /* heads x (d + d_v) is 2 h */
	const double products_s = 2 * (32 * (qkv + out + mlp) + head) / rate;
	const double cache_s = 2 * 32 * attention / rate;
	/* What passes move is some 0.1 % more. */
	assert_true(got.inference.token_s >= products_s + cache_s);
	assert_true(got.inference.token_s < 1.002 * (products_s + cache_s));
	assert_close(got.iteration_s, got.inference.prompts_s + (answer - 1) * got.inference.token_s, 1e-12);
	assert_close(got.inference.tokens_per_s, answer / got.iteration_s, 1e-12);
	assert_true(got.inference.memory_share > 0.9);
}

/* A long prompt is bound by flop: 2 for each weight and token, and attention under a causal mask. */
static void prompts_compute(void **state)
{
	const double h = 4096, f = 11008, vocabulary = 32000, s = 4096, rate = 100e12;
	struct paradl_oracle *const oracle = simple(*state, "llama2-7b", s, 1);
	const struct paradl_estimate got = served(oracle, "serial", 1);
	const double weights = 32 * (4 * h * h + 3 * h * f);
	const double attention = 32 * 2 * s * (s / 2 + 64) * 2 * h; /* half a tile on the diagonal */
	const double flop_s = (2 * s * weights + attention) / rate, head_s = 2 * h * vocabulary / 1e12;
	assert_true(got.inference.prompts_s >= flop_s + head_s);
	/* Norms, positions and activations besides: 28 h + 3 f items of each token and layer at most, 2 bytes each. */
	assert_true(got.inference.prompts_s < flop_s + head_s + 32 * s * 2 * (28 * h + 4 * f) / 1e12);
	assert_close(got.iteration_s, got.inference.prompts_s, 1e-12); /* that makes the only token */
}

/* Memory: 16-bit weights and nothing for training. */
static void memory_is_weights_and_cache(void **state)
{
	struct paradl_oracle *const oracle = simple(*state, "llama2-7b", 1000, 24);
	const struct paradl_estimate got = served(oracle, "serial", 4);
	assert_close(got.memory.weights_bytes, 2 * 6738415616.0, 1e-12);
	assert_true(!(got.memory.gradients_bytes > 0) && !(got.memory.optimizer_bytes > 0));
	const struct paradl_estimate cut = served(oracle, "tensor=8", 4);
	assert_close(cut.memory.cache_bytes, got.memory.cache_bytes / 8, 1e-12);
	const struct paradl_estimate context = served(oracle, "context=4", 4);
	assert_close(context.memory.cache_bytes, got.memory.cache_bytes / 4, 1e-12);
	const struct paradl_estimate data = served(oracle, "data=4", 4);
	assert_close(data.memory.cache_bytes, got.memory.cache_bytes / 4, 1e-12);
	const struct paradl_estimate stages = served(oracle, "pipeline=4", 4);
	assert_close(stages.memory.cache_bytes, got.memory.cache_bytes / 4, 1e-12);
}

/* Heads of keys are not cut: Llama-3-8B has 8 of them, 16 devices keep one each. */
static void keys_are_kept_by_head(void **state)
{
	struct paradl_oracle *const oracle = simple(*state, "llama3-8b", 1000, 24);
	const double whole = served(oracle, "serial", 1).memory.cache_bytes;
	assert_close(served(oracle, "tensor=8", 1).memory.cache_bytes, whole / 8, 1e-12);
	assert_close(served(oracle, "tensor=16", 1).memory.cache_bytes, whole / 8, 1e-12);
}

/* The largest batch fits, and one more for each replica waits for memory. */
static void the_largest_batch_is_the_last_that_fits(void **state)
{
	static const char *const plans[] = {
		"tensor=2", "data=2,tensor=4", "pipeline=4", "tensor=4,pipeline=2"};
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "llama2-70b"),
		shipped_hw(setup, "dgx-h100-superpod"), shipped_framework(setup, "nccl"), 0, 0);
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_estimate one = served(oracle, plans[i], 2);
		const double largest = one.inference.largest_batch, replicas = one.plan.degree[PARADL_DATA];
		if (!(largest > 0)) {
			assert_false(served(oracle, plans[i], replicas).fits);
			continue;
		}
		const struct paradl_estimate full = served(oracle, plans[i], largest);
		assert_true(full.fits);
		const struct paradl_estimate more = served(oracle, plans[i], largest + replicas);
		assert_true(more.fits && more.inference.wait_s > full.inference.wait_s);
		assert_close(more.memory_bytes, full.memory_bytes, 1e-12);
		assert_close(full.inference.tokens_per_s, one.inference.largest_batch_tokens_per_s, 1e-9);
		assert_close(full.inference.largest_batch, largest, 1e-12);
	}
}

/* A program that uses a share of the memory fits what needs no more than that: weights of 16.1 GB in 20 GB, not in 80 % of it. */
static void programs_use_a_share_of_memory(void **state)
{
	struct setup *const setup = *state;
	const char *const device = "\"memory\": \"20 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": "
				   "\"50 Tflop/s\", \"bf16\": "
				   "\"100 Tflop/s\"}, \"contraction\": {\"efficiency\": 1}";
	for (unsigned i = 0; i < 2; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "llama3-8b"),
			setup_machine(setup, device, LEVELS),
			setup_framework(setup, i ? ", \"rules\": {\"serve_memory\": 0.8}" : ""), 128, 16);
		const struct paradl_estimate got = served(oracle, "serial", 1);
		assert_true(got.fits == !i);
		assert_true(i ? !(got.inference.largest_batch > 0) : got.inference.largest_batch >= 1);
	}
}

static struct paradl_oracle *program(struct setup *setup, const char *model, const char *rules,
	enum paradl_precision precision, double answer)
{
	const struct paradl_options options = {.inference = true,
		.override_precision = true,
		.precision = precision,
		.prompt_tokens = 128,
		.output_tokens = answer};
	struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena, shipped_model(setup, model),
		setup_machine(setup, DEVICE, LEVELS), setup_framework(setup, rules), &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

/* Rows of layers hold the weights that the device does: matrices in 8 bits, embedding, norms and head in 16. */
static void layers_hold_weights_as_stored(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"serial", "tensor=4"};
	struct paradl_oracle *const oracle = program(setup, "llama3-8b", "", PARADL_FP8_MIXED, 16);
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_plan plan = setup_plan(plans[i], 1);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		struct paradl_layer_table table;
		double bytes = 0;
		assert_true(paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error));
		for (size_t k = 0; k < table.count; ++k)
			bytes += table.rows[k].weights_bytes;
		assert_close(bytes, estimate.memory.weights_bytes, 1e-12);
	}
}

/* What a program takes of its own: time before the first token, time of the host for each sequence, caches of one byte. */
static void programs_take_time_and_bytes(void **state)
{
	struct setup *const setup = *state;
	const char *const rules = ", \"rules\": {\"serve_prompt\": \"50 ms\", \"serve_sequence\": \"1 ms\", "
				  "\"serve_narrow_cache\": true}";
	for (unsigned i = 0; i < 2; ++i) {
		const double answer = i ? 64 : 1;
		const struct paradl_inference none =
			served(program(setup, "llama3-8b", "", PARADL_FP8_MIXED, answer), "serial", 1)
				.inference;
		const struct paradl_inference some =
			served(program(setup, "llama3-8b", rules, PARADL_FP8_MIXED, answer), "serial", 1)
				.inference;
		assert_close(some.cache_bytes_per_token, none.cache_bytes_per_token / 2, 1e-12);
		if (!i) /* no step: the prompt makes the only token */
			assert_close(some.prompts_s, none.prompts_s + 0.05, 1e-9);
		else /* half of the cache is read, and the host adds its time */
			assert_close(some.step_s,
				none.step_s + 1e-3 - 160.0 * none.cache_bytes_per_token / 2 / 1e12, 2e-3);
	}
}

/* Experts that are dealt out over a tensor group have all tokens there: a sum, as where each is cut. */
static void dealt_experts_are_summed(void **state)
{
	struct paradl_oracle *const oracle = simple(*state, "mixtral-8x7b", 128, 1);
	const struct paradl_estimate dealt = served(oracle, "tensor=4", 1),
				     cut = served(oracle, "tensor=4,experts=tensor", 1);
	assert_true(cut.phase_s[PARADL_ACTIVATION_EXCHANGE] > 0);
	assert_close(
		dealt.phase_s[PARADL_ACTIVATION_EXCHANGE], cut.phase_s[PARADL_ACTIVATION_EXCHANGE], 1e-9);
}

/*
 * Never faster than reading the weights: Llama-2-70B on 8 A100 of 2.04 TB/s, 138 GB / 8 / 2.04 TB/s = 8.4 ms. Measured products of up
 * to four rows read 0.9 to 1.5 TB/s, 1.2 in the middle: 14.3 ms (NVIDIA AIConfigurator data, 2026, A100), measured attention of small
 * caches takes 15 us, and each of 160 allreduces of 16 KB some 20 us: 18.7 ms.
 */
static void tokens_wait_for_weights(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "llama2-70b"),
		shipped_hw(setup, "dgx-a100-superpod"), shipped_framework(setup, "nccl"), 128, 128);
	const struct paradl_estimate got = served(oracle, "tensor=8", 1);
	assert_true(got.inference.token_s > 8.4e-3);
	assert_close(got.inference.token_s, 18.7e-3, 0.1);
	const struct paradl_estimate serial = served(oracle, "pipeline=8", 1);
	assert_true(serial.inference.token_s >= 138e9 / 2.04e12); /* stages in turn save nothing */
	assert_true(got.inference.prompts_s < got.inference.token_s * 5);
}

/* More work, more time; more of it at a time, more throughput. */
static void time_grows_with_batch_and_context(void **state)
{
	static const char *const plans[] = {"serial", "tensor=4", "pipeline=4", "context=2,tensor=2",
		"data=2,expert=2", "expert=4,tensor=2,experts=tensor"};
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		double last_s = 0, last_rate = 0;
		for (unsigned prompt = 256; prompt <= 4096; prompt *= 4) {
			struct paradl_oracle *const oracle = oracle_of(setup,
				shipped_model(setup, "mixtral-8x7b"), shipped_hw(setup, "dgx-h100-superpod"),
				shipped_framework(setup, "nccl"), prompt, 64);
			const struct paradl_estimate got = served(oracle, plans[i], 16);
			assert_true(got.inference.token_s >= last_s);
			last_s = got.inference.token_s;
		}
		struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "mixtral-8x7b"),
			shipped_hw(setup, "dgx-h100-superpod"), shipped_framework(setup, "nccl"), 512, 64);
		last_s = 0;
		for (double batch = 4; batch <= 256; batch *= 2) {
			const struct paradl_estimate got = served(oracle, plans[i], batch);
			const double rate = batch / got.inference.token_s;
			assert_true(got.inference.token_s >= last_s * (1 - 1e-9) &&
				    rate >= last_rate * (1 - 1e-9));
			assert_true(got.memory_bytes > 0 && got.iteration_s > 0);
			last_s = got.inference.token_s;
			last_rate = rate;
		}
	}
}

/* Replicas that share experts step together: a few requests leave some without any, and each engine needs one. */
static void few_requests_leave_replicas_idle(void **state)
{
	struct paradl_oracle *const oracle = simple(*state, "mixtral-8x7b", 16, 16);
	double last_s = 0;
	for (unsigned batch = 1; batch <= 12; ++batch) {
		const struct paradl_estimate got = served(oracle, "expert=8", batch);
		assert_close(got.inference.under_way, batch, 1e-9);
		assert_true(8 * got.inference.sequences <= batch * (1 + 1e-9));
		assert_close(got.samples_per_s * got.iteration_s, batch, 1e-9);
		assert_true(got.iteration_s >= last_s * (1 - 1e-9));
		last_s = got.iteration_s;
	}
	struct paradl_estimate estimate;
	struct paradl_plan plan = setup_plan("data=2,expert=4", 1);
	assert_false(paradl_estimate(oracle, &plan, &estimate, NULL));
	plan.batch = 2;
	assert_true(paradl_estimate(oracle, &plan, &estimate, NULL));
	/* One request for each engine is one for an engine alone. */
	assert_close(estimate.inference.token_s, served(oracle, "expert=4", 1).inference.token_s, 1e-9);
}

/* Of 8 experts one token reads 2, many tokens all of them. */
static void few_tokens_read_few_experts(void **state)
{
	const double h = 4096, f = 14336, expert_s = 2 * 3 * h * f / 1e12;
	struct paradl_oracle *const oracle = simple(*state, "mixtral-8x7b", 16, 16);
	const struct paradl_inference one = served(oracle, "serial", 1).inference;
	const struct paradl_inference two = served(oracle, "serial", 2).inference;
	/* 8 (1 - (3/4)^2) = 3.5 experts for two, of which a step has nearly that many; the rest is read once either way. */
	const double more = 8 * (pow(0.75, 1) - pow(0.75, two.sequences));
	assert_close((two.step_s - one.step_s) / (32 * more * expert_s), 1, 0.01);
	assert_true(one.step_s >= 32 * 2 * expert_s && one.step_s < 32 * 3 * expert_s);
}

/* Phases add up, and the parts of a pipeline are never below its slowest stage. */
static void phases_are_the_request(void **state)
{
	static const char *const plans[] = {
		"serial", "tensor=8", "pipeline=5", "pipeline=2,tensor=2", "context=4"};
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "llama3-8b"),
		shipped_hw(setup, "dgx-h100-superpod"), shipped_framework(setup, "nccl"), 777, 33);
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i)
		for (double batch = 1; batch < 40; batch += 6) {
			const struct paradl_estimate got = served(oracle, plans[i], batch);
			double sum = 0;
			for (unsigned k = 0; k < PARADL_PHASE_COUNT; ++k)
				sum += got.phase_s[k];
			assert_close(sum, got.iteration_s, 1e-8);
			assert_true(got.limited_by.text && got.limited_by.share <= 1 + 1e-9);
			assert_true(got.mfu > 0 && got.mfu < 1);
		}
}

/* Images: the forward pass of training, and nothing that backward would keep. */
static void images_are_forward_passes(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = shipped_model(setup, "resnet50");
	const struct paradl_machine *const machine = setup_machine(setup, DEVICE, LEVELS);
	const struct paradl_framework *const framework = setup_framework(setup, ", " SETUP_SPLIT_ALL);
	struct paradl_oracle *const trains = setup_oracle(setup, model, machine, framework, false);
	struct paradl_oracle *const serves = oracle_of(setup, model, machine, framework, 0, 0);
	static const char *const plans[] = {"serial", "data=4", "filter=4", "spatial=2"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_estimate step = served(trains, plans[i], 64),
					     got = served(serves, plans[i], 64);
		assert_close(got.phase_s[PARADL_FORWARD], step.phase_s[PARADL_FORWARD], 0.01);
		assert_true(
			!(got.phase_s[PARADL_BACKWARD] > 0) && !(got.phase_s[PARADL_GRADIENT_EXCHANGE] > 0));
		assert_true(got.memory.activations_bytes < step.memory.activations_bytes);
		assert_close(got.inference.prompts_s, got.iteration_s, 1e-12);
		assert_true(!(got.inference.output_tokens > 0));
	}
	const double serial = served(serves, "serial", 64).iteration_s;
	assert_true(served(serves, "pipeline=4,micro=1", 64).iteration_s < serial);
}

static void refused(struct setup *setup, const char *model, struct paradl_options options, const char *text)
{
	struct paradl_error error = {0};
	const struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena,
		shipped_model(setup, model), shipped_hw(setup, "dgx-a100-superpod"),
		shipped_framework(setup, "nccl"), &options, &error);
	assert_null(oracle);
	assert_int_equal(error.status, PARADL_USAGE);
	if (!strstr(error.message, text))
		fail_msg("\"%s\" lacks \"%s\"", error.message, text);
}

static void questions_without_an_answer(void **state)
{
	struct setup *const setup = *state;
	refused(setup, "resnet50", (struct paradl_options){.inference = true, .prompt_tokens = 5},
		"no prompt");
	refused(setup, "bert-large", (struct paradl_options){.inference = true, .output_tokens = 5},
		"generates no tokens");
	refused(setup, "llama2-7b", (struct paradl_options){.inference = true, .ideal = true}, "ideal");
	refused(setup, "llama2-7b", (struct paradl_options){.prompt_tokens = 5}, "inference only");
	refused(setup, "resnet50", (struct paradl_options){.inference = true, .requests = 64},
		"one after the other");
	refused(setup, "gpt2-xl",
		(struct paradl_options){.inference = true, .prompt_tokens = 1000, .output_tokens = 25},
		"1024");
	struct paradl_oracle *const oracle = oracle_of(setup, shipped_model(setup, "llama2-7b"),
		shipped_hw(setup, "dgx-a100-superpod"), shipped_framework(setup, "nccl"), 0, 0);
	const struct paradl_plan plan = setup_plan("data=2,zero=1", 2);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	assert_false(paradl_estimate(oracle, &plan, &estimate, &error));
	assert_int_equal(error.status, PARADL_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(caches_are_as_published),
		setup_test(caches_of_windows_are_as_held),
		setup_test(activations_are_those_of_a_chunk),
		setup_test(stages_are_dealt_out),
		setup_test(one_token_reads_weights_and_cache),
		setup_test(prompts_compute),
		setup_test(memory_is_weights_and_cache),
		setup_test(layers_hold_weights_as_stored),
		setup_test(keys_are_kept_by_head),
		setup_test(the_largest_batch_is_the_last_that_fits),
		setup_test(programs_use_a_share_of_memory),
		setup_test(programs_take_time_and_bytes),
		setup_test(dealt_experts_are_summed),
		setup_test(tokens_wait_for_weights),
		setup_test(time_grows_with_batch_and_context),
		setup_test(few_requests_leave_replicas_idle),
		setup_test(few_tokens_read_few_experts),
		setup_test(phases_are_the_request),
		setup_test(images_are_forward_passes),
		setup_test(questions_without_an_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
