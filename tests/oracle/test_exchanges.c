/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How gradients are exchanged: forced algorithms by hand on nodes of 4 devices with 2 ports, choice, buckets and
 * compression. One linear layer of 256 M weights, 1024 M bytes; without packing, so that the phase is the exchange.
 */
#include "oracle/setup.h"
#include "paradl/network.h"

#include <string.h>

#define IN        2e-6
#define OUT       10e-6
#define NODE_RATE 50e9
#define PORT_RATE 8e9
#define MEMORY    1e12

#define NODES                                                                                                \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "          \
	"{\"name\": \"all\", \"devices\": 64, \"latency\": \"10 us\", \"bandwidth\": \"8 GB/s\", "           \
	"\"ports\": 2}"
/* All devices in one node: no link is shared. */
#define FLAT "{\"name\": \"node\", \"devices\": 16, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}"

static const struct paradl_model *model_of(struct setup *setup, unsigned outputs)
{
	return setup_model(setup, "\"input\": {\"channels\": 255, \"shape\": [1]}",
		arena_printf(setup->arena, "{\"type\": \"linear\", \"out\": %u}", outputs));
}

struct machine {
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
};

static struct machine machine_of(struct setup *setup, const char *levels, const char *keys)
{
	return (struct machine){
		setup_machine(setup,
			"\"memory\": \"16 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 "
			"Tflop/s\", \"fp16\": \"100 Tflop/s\"}, \"contraction\": {\"efficiency\": 1}",
			levels),
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", keys))};
}

static struct paradl_oracle *oracle_with(struct setup *setup, const struct machine *machine, unsigned outputs,
	const struct paradl_options *options)
{
	struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena, model_of(setup, outputs),
		machine->machine, machine->framework, options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static struct paradl_estimate estimate_of(struct setup *setup, const struct machine *machine,
	unsigned outputs, const char *text, const struct paradl_options *options)
{
	const struct paradl_plan plan = setup_plan(text, 64);
	return setup_estimate(oracle_with(setup, machine, outputs, options), &plan);
}

static double exchange_s(struct setup *setup, const struct machine *machine, unsigned outputs,
	const char *text, const char *algorithm, const char *compress)
{
	const struct paradl_options options = {.algorithm = algorithm, .compress = compress};
	return estimate_of(setup, machine, outputs, text, &options).phase_s[PARADL_GRADIENT_EXCHANGE];
}

static const unsigned sizes[] = {4, 32, 1000, 30000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void assert_exchange(struct setup *setup, const struct machine *machine, unsigned outputs,
	unsigned devices, const char *algorithm, double expected_s)
{
	const char *const text = arena_printf(setup->arena, "data=%u", devices);
	const struct paradl_options options = {.algorithm = algorithm};
	const struct paradl_estimate got = estimate_of(setup, machine, outputs, text, &options);
	const double s = got.phase_s[PARADL_GRADIENT_EXCHANGE];
	if (fabs(s - expected_s) > 1e-9 * expected_s)
		fail_msg("%s of %u KB, %u devices: %.9g s, by hand %.9g s", algorithm, outputs, devices, s,
			expected_s);
	assert_non_null(strstr(got.gradient_algorithm, algorithm));
	assert_string_equal(got.gradient_compression, "none");
	assert_close(got.gradient_messages, 1, 0);
}

static void algorithms_by_hand_without_contention(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, FLAT, "");
	for (unsigned i = 0; i < SIZES; ++i)
		for (unsigned devices = 4, steps = 2; devices <= 16; devices *= 2, ++steps) {
			const double p = devices, s = 1024.0 * sizes[i] / NODE_RATE;
			assert_exchange(setup, &machine, sizes[i], devices, "ring",
				2 * (p - 1) * IN + 2 * (p - 1) / p * s);
			assert_exchange(setup, &machine, sizes[i], devices, "doubling", steps * (IN + s));
			assert_exchange(setup, &machine, sizes[i], devices, "rabenseifner",
				2 * steps * IN + 2 * (p - 1) / p * s);
		}
}

/* Four devices of a node leave by two ports; a pipelined ring pays all start-ups of a trip but the longest. */
static void algorithms_by_hand_across_nodes(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, NODES, "");
	for (unsigned i = 0; i < SIZES; ++i) {
		const double bytes = 1024.0 * sizes[i], in = bytes / NODE_RATE, out = bytes / PORT_RATE;
		for (unsigned devices = 8; devices <= 16; devices *= 2) {
			const double p = devices, nodes = p / 4, far = devices == 16 ? 2 : 1;
			assert_exchange(setup, &machine, sizes[i], devices, "ring",
				2 * ((nodes - 1) * OUT + (p - nodes) * IN) + 2 * (p - 1) / p * out);
			assert_exchange(setup, &machine, sizes[i], devices, "doubling",
				2 * (IN + in) + far * (OUT + 2 * out));
			/* The halves and quarters stay in the node; of two pairs of devices each port carries two. */
			assert_exchange(setup, &machine, sizes[i], devices, "rabenseifner",
				4 * IN + 2 * 0.75 * in + 2 * far * OUT +
					2 * (devices == 16 ? 3.0 / 16 : 1.0 / 8) * 2 * out);
		}
		/* Every device leads: rings of two and four nodes, of a quarter each, two on each port. */
		const double inside = 2 * (3 * IN + 0.75 * in);
		assert_exchange(
			setup, &machine, sizes[i], 8, "leaders-ring", inside + 2 * (OUT + 0.25 * out));
		const double nodes = inside + 2 * (3 * OUT + 0.75 * 0.5 * out);
		/* Or two nodes in a ring of eight, then eight rings of two; fewer start-ups between nodes. */
		const double pairs = 2 * (OUT + 6 * IN + 7.0 / 8 * out) + 2 * (OUT + 1.0 / 16 * 2 * out);
		assert_exchange(setup, &machine, sizes[i], 16, "leaders-ring", fmin(nodes, pairs));
	}
}

static void auto_is_the_fastest(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"data=4", "data=6", "data=8", "data=12", "data=16", "data=64",
		"data=4,filter=4", "filter=4,data=4", "data=4,filter=2,spatial=1"};
	const char *const levels[] = {NODES, FLAT};
	unsigned applied = 0;
	for (unsigned m = 0; m < 2; ++m) {
		const struct machine machine = machine_of(setup, levels[m], "");
		for (unsigned k = 0; k < (m ? 5 : sizeof plans / sizeof *plans); ++k)
			for (unsigned i = 0; i < SIZES; ++i) {
				const double best =
					exchange_s(setup, &machine, sizes[i], plans[k], "auto", NULL);
				double least = HUGE_VAL;
				for (size_t a = 0; paradl_algorithm(a).name; ++a) {
					const struct paradl_algorithm_info info = paradl_algorithm(a);
					if (info.operation != PARADL_ALLREDUCE || info.sparse)
						continue;
					const struct paradl_options options = {.algorithm = info.name};
					struct paradl_oracle *const oracle =
						oracle_with(setup, &machine, sizes[i], &options);
					const struct paradl_plan plan = setup_plan(plans[k], 64);
					struct paradl_estimate got;
					struct paradl_error error = {0};
					if (!paradl_estimate(oracle, &plan, &got, &error)) {
						assert_int_equal(error.status, PARADL_INFEASIBLE);
						assert_non_null(strstr(error.message, info.name));
						assert_non_null(strstr(error.hint, "--algo"));
						continue;
					}
					++applied;
					assert_string_equal(got.gradient_algorithm, info.name);
					least = fmin(least, got.phase_s[PARADL_GRADIENT_EXCHANGE]);
				}
				/* Curves of many segments are thinned: a part of a thousand. */
				if (best > least * (1 + 1e-3) || best < least * (1 - 1e-3))
					fail_msg("%s, %u KB: auto %.9g s, the best %.9g s", plans[k],
						sizes[i], best, least);
			}
	}
	assert_true(applied > 100);
}

static void assert_impossible(
	struct setup *setup, const struct machine *machine, const char *text, const char *message)
{
	const struct paradl_plan plan = setup_plan(text, 64);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	assert_false(paradl_estimate(oracle_with(setup, machine, 12, NULL), &plan, &estimate, &error));
	assert_int_equal(error.status, PARADL_INFEASIBLE);
	if (!strstr(error.message, message))
		fail_msg("\"%s\" is not in: %s", message, error.message);
	assert_true(*error.hint);
}

static void frameworks_list_what_they_have(void **state)
{
	struct setup *const setup = *state;
	const struct machine both =
		machine_of(setup, FLAT, ", \"algorithms\": [\"allreduce-ring\", \"allreduce-doubling\"]");
	for (unsigned i = 0; i < SIZES; ++i) {
		const double s = 1024.0 * sizes[i] / NODE_RATE;
		const double ring = 30 * IN + 2 * 15.0 / 16 * s, doubling = 4 * (IN + s);
		const struct paradl_estimate got = estimate_of(setup, &both, sizes[i], "data=16", NULL);
		assert_close(got.phase_s[PARADL_GRADIENT_EXCHANGE], fmin(ring, doubling), 1e-9);
		assert_string_equal(
			got.gradient_algorithm, ring < doubling ? "allreduce-ring" : "allreduce-doubling");
	}
	/* One device a node: nothing to reduce in it first. */
	const struct machine leaders = machine_of(setup,
		"{\"name\": \"node\", \"devices\": 1, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}",
		", \"algorithms\": [\"allreduce-leaders-ring\", \"allreduce-leader\"]");
	assert_impossible(setup, &leaders, "data=8",
		"allreduce: no algorithm that the framework lists works for a group of 8 devices");
	assert_close(exchange_s(setup, &leaders, 1, "data=8", "doubling", NULL), 3 * (IN + 1024 / NODE_RATE),
		1e-9);
	/* Outputs of a layer that is cut are gathered by pairs, or on a Kautz graph. */
	const struct machine pairs =
		machine_of(setup, FLAT, ", \"algorithms\": [\"allgather-neighbour\", \"allgather-kautz\"]");
	assert_true(estimate_of(setup, &pairs, 12, "filter=6", NULL).iteration_s > 0);
	assert_impossible(setup, &pairs, "filter=3",
		"allgather: no algorithm that the framework lists works for a group of 3");
}

static void assert_refused(struct setup *setup, const struct machine *machine,
	const struct paradl_options *options, enum paradl_status status, const char *what)
{
	struct paradl_error error = {0};
	assert_null(paradl_oracle_create(
		setup->arena, model_of(setup, 1), machine->machine, machine->framework, options, &error));
	assert_int_equal(error.status, status);
	if (!strstr(error.message, what) && !strstr(error.hint, what))
		fail_msg("\"%s\" is not in: %s (%s)", what, error.message, error.hint);
	if (status == PARADL_SCHEMA)
		assert_non_null(strstr(error.path, "framework.json"));
}

static void bad_values_are_refused(void **state)
{
	struct setup *const setup = *state;
	const struct machine plain = machine_of(setup, FLAT, "");
	static const struct {
		struct paradl_options options;
		const char *what;
	} cases[] = {
		{{.algorithm = "dubling"}, "\"allreduce-doubling\""},
		{{.algorithm = "xyzzy"}, "xyzzy"},
		{{.algorithm = ""}, "collectives"},
		{{.algorithm = "allgather-ring"}, "there is no allreduce"},
		{{.algorithm = "sparse-ring"}, "--compress"},
		{{.compress = "fp8"}, "fp8"},
		{{.compress = ""}, "auto"},
		{{.compress = "topk"}, "topk"},
		{{.compress = "topk:"}, "topk:0.01"},
		{{.compress = "topk:0"}, "topk:0.01"},
		{{.compress = "topk:1.5"}, "topk:0.01"},
		{{.compress = "topk:-0.1"}, "topk:0.01"},
		{{.compress = "topk:nan"}, "topk:0.01"},
		{{.compress = "topk:0,1"}, "topk:0.01"},
		{{.compress = "topk:0.1x"}, "topk:0.01"},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_refused(setup, &plain, &cases[i].options, PARADL_USAGE, cases[i].what);
	const struct machine misspelt =
		machine_of(setup, FLAT, ", \"algorithms\": [\"allreduce-ring\", \"allreduce-dubling\"]");
	assert_refused(setup, &misspelt, NULL, PARADL_SCHEMA, "\"allreduce-doubling\"");
	/* The operation is part of the name there. */
	const struct machine bare = machine_of(setup, FLAT, ", \"algorithms\": [\"ring\"]");
	assert_refused(setup, &bare, NULL, PARADL_SCHEMA, "ring");
}

/* n = ceil(bytes / bucket) messages of bytes / n. */
static void buckets_are_messages(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, FLAT,
		", \"algorithms\": [\"allreduce-ring\", \"allreduce-doubling\"], \"gradients\": "
		"{\"bucket\": \"100 kB\"}");
	static const unsigned outputs[] = {1, 97, 98, 196, 1000, 30000};
	for (unsigned i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
		const double bytes = 1024.0 * outputs[i], messages = ceil(bytes / 100e3);
		const double s = bytes / messages / NODE_RATE;
		const double ring = 30 * IN + 2 * 15.0 / 16 * s, doubling = 4 * (IN + s);
		const struct paradl_estimate got = estimate_of(setup, &machine, outputs[i], "data=16", NULL);
		assert_close(got.gradient_messages, messages, 0);
		assert_close(got.phase_s[PARADL_GRADIENT_EXCHANGE], messages * fmin(ring, doubling), 1e-9);
		assert_string_equal(
			got.gradient_algorithm, ring < doubling ? "allreduce-ring" : "allreduce-doubling");
	}
}

/* Reads 4 bytes an item and writes 2, and back: 3 bytes of memory traffic for each byte of fp32. */
static void half_precision_halves_bytes(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, FLAT, "");
	for (unsigned i = 0; i < SIZES; ++i) {
		const double bytes = 1024.0 * sizes[i];
		const struct paradl_options fp16 = {.compress = "fp16"};
		const struct paradl_estimate got = estimate_of(setup, &machine, sizes[i], "data=8", &fp16);
		assert_close(got.phase_s[PARADL_GRADIENT_EXCHANGE],
			14 * IN + 2 * 7.0 / 8 * bytes / 2 / NODE_RATE + 3 * bytes / MEMORY, 1e-9);
		assert_string_equal(got.gradient_compression, "fp16");
		/* Gradients of half precision are what they are. */
		const struct paradl_options half = {
			.compress = "fp16", .override_precision = true, .precision = PARADL_FP16_MIXED};
		const struct paradl_estimate already =
			estimate_of(setup, &machine, sizes[i], "data=8", &half);
		assert_close(already.phase_s[PARADL_GRADIENT_EXCHANGE],
			14 * IN + 2 * 7.0 / 8 * bytes / 2 / NODE_RATE, 1e-9);
		assert_string_equal(already.gradient_compression, "none");
	}
}

/*
 * Between two devices every algorithm needs a start-up and the d N non-zeros of 4 + 4 bytes; finding them reads the
 * vector 5 times, and what stays behind takes 3 passes. Non-zeros of half precision have indices of 4 bytes, too.
 */
static void only_sparse_algorithms_send_the_largest(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, FLAT, "");
	for (unsigned i = 0; i < SIZES; ++i) {
		const double bytes = 1024.0 * sizes[i], selection = 8 * bytes / MEMORY;
		for (double density = 0.001; density < 1; density *= 3) {
			const char *const compress = arena_printf(setup->arena, "topk:%.15g", density);
			struct paradl_options options = {.compress = compress};
			const double doubling = IN + fmin(2 * density, 1) * bytes / NODE_RATE;
			const struct paradl_estimate got =
				estimate_of(setup, &machine, sizes[i], "data=2", &options);
			const double s = got.phase_s[PARADL_GRADIENT_EXCHANGE];
			if (s > (selection + doubling) * (1 + 1e-9) || s < doubling)
				fail_msg("%s of %g bytes: %.9g s, by hand %.9g s", compress, bytes, s,
					selection + doubling);
			assert_non_null(strstr(got.gradient_algorithm, "allreduce-sparse"));
			assert_memory_equal(got.gradient_compression, "topk:0.", 7);
			options.override_precision = true;
			options.precision = PARADL_FP16;
			const double half = estimate_of(setup, &machine, sizes[i], "data=2", &options)
						    .phase_s[PARADL_GRADIENT_EXCHANGE];
			assert_true(half >= IN + fmin(3 * density, 1) * bytes / 2 / NODE_RATE);
		}
	}
}

static void compression_auto_is_the_least(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, NODES, ", \"gradients\": {\"passes\": 2}");
	static const char *const plans[] = {"data=2", "data=16", "data=64", "data=4,filter=4"};
	bool sparse = false, halved = false;
	for (unsigned k = 0; k < sizeof plans / sizeof *plans; ++k)
		for (unsigned i = 0; i < SIZES; ++i) {
			const double none = exchange_s(setup, &machine, sizes[i], plans[k], "auto", "none"),
				     fp16 = exchange_s(setup, &machine, sizes[i], plans[k], "auto", "fp16"),
				     topk = exchange_s(
					     setup, &machine, sizes[i], plans[k], "auto", "topk:0.01"),
				     all = exchange_s(setup, &machine, sizes[i], plans[k], "auto", "topk:1");
			/* Dense algorithms take up to 2 log2 P start-ups; some sparse ones, every rank to every other, two. */
			if (all < none - (sizes[i] < 30000 ? 10 * OUT : 0))
				fail_msg("%s, %u KB: topk:1 %.9g s, dense %.9g s", plans[k], sizes[i], all,
					none);
			const struct paradl_options options = {.algorithm = "auto", .compress = "auto"};
			const struct paradl_estimate got =
				estimate_of(setup, &machine, sizes[i], plans[k], &options);
			assert_close(got.phase_s[PARADL_GRADIENT_EXCHANGE], fmin(none, fmin(fp16, topk)), 0);
			const bool least = topk < fmin(none, fp16);
			assert_string_equal(got.gradient_compression, least         ? "topk:0.01"
								      : fp16 < none ? "fp16"
										    : "none");
			sparse = sparse || least;
			halved = halved || fp16 < fmin(none, topk);
		}
	assert_true(sparse && halved);
}

static void ideal_ignores_the_options(void **state)
{
	struct setup *const setup = *state;
	const struct machine machine = machine_of(setup, NODES,
		", \"algorithms\": [\"allreduce-leader\"], \"gradients\": {\"bucket\": \"1 kB\", \"passes\": "
		"6}");
	for (unsigned i = 0; i < SIZES; ++i) {
		const struct paradl_options options = {
			.ideal = true, .algorithm = "doubling", .compress = "topk:0.01"};
		const struct paradl_estimate got =
			estimate_of(setup, &machine, sizes[i], "data=16", &options);
		/* Table III: 2 (p - 1) (alpha + W / p beta), of the level that joins the group */
		assert_close(got.phase_s[PARADL_GRADIENT_EXCHANGE],
			2 * 15 * (OUT + 1024.0 * sizes[i] / 16 / PORT_RATE), 1e-12);
		assert_null(got.gradient_algorithm);
		assert_null(got.gradient_compression);
		/* Nor does it matter that nothing applies. */
		assert_close(estimate_of(setup, &machine, sizes[i], "data=4",
				     &(struct paradl_options){.ideal = true})
				     .phase_s[PARADL_GRADIENT_EXCHANGE],
			2 * 3 * (IN + 1024.0 * sizes[i] / 4 / NODE_RATE), 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(algorithms_by_hand_without_contention),
		setup_test(algorithms_by_hand_across_nodes),
		setup_test(auto_is_the_fastest),
		setup_test(frameworks_list_what_they_have),
		setup_test(bad_values_are_refused),
		setup_test(buckets_are_messages),
		setup_test(half_precision_halves_bytes),
		setup_test(only_sparse_algorithms_send_the_largest),
		setup_test(compression_auto_is_the_least),
		setup_test(ideal_ignores_the_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
