/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timelines against a count microsecond by microsecond; traces that are written here; traces that are none. */
#include "paradl/study.h"
#include "study/measured/trace.h"
#include "test.h"

enum { SPAN = 400, ITEMS = 30, WINDOWS = 3 };

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 10;
}

/* In the order that moments are given away. */
static const unsigned order[] = {PARADL_FORWARD, PARADL_BACKWARD, PARADL_WEIGHT_UPDATE,
	PARADL_GRADIENT_EXCHANGE, PARADL_ACTIVATION_EXCHANGE, PARADL_HALO_EXCHANGE, PARADL_STAGE_TRANSFER,
	PARADL_INPUT};
enum { KINDS = sizeof order / sizeof order[0] };

/* The phase of the microsecond from `at`; idle ones have that of what begins next, at the end of what ended last. */
static unsigned phase_at(const struct timeline_item *items, unsigned at)
{
	for (unsigned k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < ITEMS; i++)
			if (items[i].phase == order[k] && items[i].begin_s <= at && items[i].end_s >= at + 1)
				return order[k];
	return PARADL_PHASE_COUNT;
}

static void timelines_are_counted_by_hand(void **state)
{
	(void)state;
	unsigned seed = 7;
	for (unsigned round = 0; round < 300; round++) {
		struct paradl_arena *arena = paradl_arena_create();
		struct timeline_item items[ITEMS];
		struct timeline_window windows[WINDOWS] = {{.begin_s = 0, .end_s = 90},
			{.begin_s = 100, .end_s = 101}, {.begin_s = 101, .end_s = SPAN}};
		for (unsigned i = 0; i < ITEMS; i++) {
			const unsigned begin = next_random(&seed) % SPAN, most = SPAN - begin;
			items[i].begin_s = begin;
			items[i].end_s = begin + next_random(&seed) % (most < 25 ? most + 1 : 25);
			items[i].phase = order[next_random(&seed) % KINDS];
		}
		assert_true(timeline_sweep(arena, items, ITEMS, PARADL_BUBBLE, windows, WINDOWS));
		for (unsigned w = 0; w < WINDOWS; w++) {
			double exposed[PARADL_PHASE_COUNT] = {0}, busy[PARADL_PHASE_COUNT] = {0}, idle = 0;
			for (unsigned at = (unsigned)windows[w].begin_s; at < (unsigned)windows[w].end_s;
				at++) {
				const unsigned phase = phase_at(items, at);
				bool runs[PARADL_PHASE_COUNT] = {false};
				exposed[phase < PARADL_PHASE_COUNT ? phase : PARADL_BUBBLE] += 1;
				idle += phase == PARADL_PHASE_COUNT;
				for (unsigned i = 0; i < ITEMS; i++)
					runs[items[i].phase] |=
						items[i].begin_s <= at && items[i].end_s >= at + 1;
				for (unsigned phase_run = 0; phase_run < PARADL_PHASE_COUNT; phase_run++)
					busy[phase_run] += runs[phase_run];
			}
			for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; phase++) {
				assert_close(windows[w].exposed_s[phase], exposed[phase], 0);
				assert_close(windows[w].busy_s[phase], busy[phase], 0);
			}
			assert_close(windows[w].idle_s, idle, 0);
		}
		paradl_arena_free(arena);
	}
}

/* An idle moment belongs to what comes next. */
static void idle_moments(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	const struct timeline_item items[] = {
		{10, 20, PARADL_FORWARD}, {25, 30, PARADL_BACKWARD}, {28, 50, PARADL_GRADIENT_EXCHANGE}};
	struct timeline_window window = {.begin_s = 5, .end_s = 60};
	assert_true(timeline_sweep(arena, items, 3, PARADL_PHASE_COUNT, &window, 1));
	assert_close(window.exposed_s[PARADL_FORWARD], 15, 0);
	assert_close(window.exposed_s[PARADL_BACKWARD], 10, 0);
	assert_close(window.exposed_s[PARADL_GRADIENT_EXCHANGE], 30, 0);
	assert_close(window.busy_s[PARADL_GRADIENT_EXCHANGE], 22, 0);
	assert_close(window.idle_s, 20, 0);
	assert_close(window.items[PARADL_FORWARD], 1, 0);
	paradl_arena_free(arena);
}

/* ---- files ---- */

struct loaded {
	struct paradl_arena *arena;
	struct paradl_measurement measurement;
	struct paradl_error error;
	bool ok;
};

static struct loaded load(const char *const *texts, size_t count, const char *plan_text)
{
	static const char *const directories[] = {".", NULL};
	static const char *const names[] = {"0.json", "1.json", "2.json", "3.json"};
	struct loaded loaded = {.arena = paradl_arena_create(), .error = {.status = PARADL_OK}};
	const struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	struct paradl_plan plan;
	struct paradl_source sources[4];
	const struct paradl_model *model = paradl_model_load(
		loaded.arena, &(struct paradl_source){.path = "models/tiny-cnn.json"}, &loaded.error);
	const struct paradl_machine *machine = paradl_machine_load(loaded.arena,
		&(struct paradl_source){.path = "hw-profiles/abci.json", .directories = directories},
		&loaded.error);
	assert_true(model && machine);
	struct paradl_oracle *oracle =
		paradl_oracle_create(loaded.arena, model, machine, NULL, &options, &loaded.error);
	assert_non_null(oracle);
	assert_true(paradl_plan_parse(plan_text, &plan, &loaded.error));
	plan.batch = 64;
	for (size_t i = 0; i < count; i++)
		sources[i] = (struct paradl_source){
			.path = names[i], .text = texts[i], .length = strlen(texts[i])};
	loaded.ok = paradl_measurement_load(
		loaded.arena, sources, count, oracle, &plan, &loaded.measurement, &loaded.error);
	return loaded;
}

static double seconds_of(const struct loaded *loaded, unsigned part)
{
	for (size_t i = 0; i < loaded->measurement.count; i++)
		if (loaded->measurement.times[i].part == part)
			return loaded->measurement.times[i].seconds;
	return -1;
}

#define X(category, name, thread, begin, length, more)                                                       \
	"{\"ph\":\"X\",\"cat\":\"" category "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #thread            \
	",\"ts\":" #begin ",\"dur\":" #length more "},"
#define KERNEL(name, begin, length, id)                                                                      \
	X("kernel", name, 7, begin, length, ",\"args\":{\"correlation\":" #id ",\"stream\":7}")
#define LAUNCH(thread, at, id)                                                                               \
	X("cuda_runtime", "cudaLaunchKernel", thread, at, 1, ",\"args\":{\"correlation\":" #id "}")
#define BEGIN "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0},\"traceEvents\":["
#define END   "{\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"python\"}}]}"

/*
 * Two steps of 1000 us. Of each: input 10 to 20, forward 20 to 120 (conv1), backward 150 to 400, of which 300 to 400 beside
 * the allreduce 300 to 600; update 620 to 650. The next begins at 1010.
 */
#define STEP(b, n0, n1, n2, n3, n4, begin, fwd, bwd, opt, at0, at1, at2, at3, at4, k0, k1, k2, k3, k4)       \
	X("user_annotation", "ProfilerStep#" #n0, 1, begin, 1000, "")                                        \
	LAUNCH(1, at0, n0)                                                                                   \
	X("user_annotation", "conv1", 1, fwd, 10, "")                                                        \
	X("cpu_op", "aten::conv2d", 1, fwd, 8, ",\"args\":{\"Sequence number\":" #n1 "}")                    \
	LAUNCH(1, at1, n1)                                                                                   \
	X("cpu_op", "autograd::engine::evaluate_function: ConvolutionBackward0", 2, bwd, 20,                 \
		",\"args\":{\"Sequence number\":" #n1 "}")                                                   \
	LAUNCH(2, at2, n2)                                                                                   \
	LAUNCH(2, at3, n3)                                                                                   \
	X("user_annotation", "Optimizer.step#SGD.step", 1, opt, 10, "")                                      \
	LAUNCH(1, at4, n4)                                                                                   \
	X("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, k0, 10, ",\"args\":{\"correlation\":" #n0 "}")  \
	KERNEL("sgemm", k1, 100, n1)                                                                         \
	KERNEL("wgrad", k2, 250, n2)                                                                         \
	KERNEL("ncclDevKernel_AllReduce_Sum_f32_RING_LL(int)", k3, 300, n3)                                  \
	KERNEL("sgd", k4, 30, n4)

static const char two_steps[] = BEGIN STEP(
	0, 11, 12, 13, 14, 15, 0, 4, 30, 50, 2, 5, 32, 40, 52, 10, 20, 150, 300, 620) STEP(1, 21, 22, 23, 24,
	25, 1000, 1004, 1030, 1050, 1002, 1005, 1032, 1040, 1052, 1010, 1020, 1150, 1300, 1620) END;

static void a_trace_by_hand(void **state)
{
	(void)state;
	const char *const texts[] = {two_steps};
	struct loaded loaded = load(texts, 1, "data=4");
	if (!loaded.ok)
		fail_msg("%s", loaded.error.message);
	/* The first step is 1000 us: idle to the next input; the second 640. Medians of two are means. */
	assert_close(seconds_of(&loaded, PARADL_INPUT), (370e-6 + 10e-6) / 2, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_FORWARD), 100e-6, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_BACKWARD), 280e-6, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_GRADIENT_EXCHANGE), 200e-6, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_WEIGHT_UPDATE), 50e-6, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_PART_TOTAL), (1000e-6 + 640e-6) / 2, 1e-9);
	assert_int_equal(loaded.measurement.ranks, 1);
	assert_int_equal(loaded.measurement.steps, 2);
	assert_int_equal(loaded.measurement.layer_count, 1);
	assert_string_equal(loaded.measurement.layers[0].name, "conv1");
	assert_close(loaded.measurement.layers[0].forward_s, 100e-6, 1e-9);
	assert_close(loaded.measurement.layers[0].backward_s, 250e-6, 1e-9);
	paradl_arena_free(loaded.arena);
	loaded = load(texts, 1, "filter=4"); /* nobody replicates weights */
	assert_true(loaded.ok);
	assert_close(seconds_of(&loaded, PARADL_ACTIVATION_EXCHANGE), 200e-6, 1e-9);
	paradl_arena_free(loaded.arena);
}

/* Of two ranks, one of which computes 60 us longer. */
static void ranks_differ(void **state)
{
	(void)state;
	static const char slow[] = "{\"distributedInfo\":{\"rank\":1},\"traceEvents\":[" KERNEL(
		"sgemm", 0, 160, 1) KERNEL("ncclKernel_AllReduce_RING", 160, 40, 2) END;
	static const char quick[] = "{\"distributedInfo\":{\"rank\":0},\"traceEvents\":[" KERNEL(
		"sgemm", 0, 100, 1) KERNEL("ncclKernel_AllReduce_RING", 100, 100, 2) END;
	const char *const texts[] = {slow, quick};
	struct loaded loaded = load(texts, 2, "data=2");
	assert_true(loaded.ok);
	assert_int_equal(loaded.measurement.ranks, 2);
	assert_non_null(loaded.measurement.note); /* no steps */
	assert_close(seconds_of(&loaded, PARADL_FORWARD), 130e-6, 1e-9);
	assert_close(seconds_of(&loaded, PARADL_GRADIENT_EXCHANGE), 70e-6, 1e-9);
	assert_close(loaded.measurement.times[0].most_s, 160e-6, 1e-9);
	paradl_arena_free(loaded.arena);
}

static void expect_refusal(const char *text, const char *part)
{
	struct loaded loaded = load(&text, 1, "data=2");
	if (loaded.ok || !strstr(loaded.error.message, part))
		fail_msg("%.80s: \"%s\", wanted \"%s\"", text, loaded.error.message, part);
	paradl_arena_free(loaded.arena);
}

static void hostile_traces(void **state)
{
	(void)state;
	char deep[400] = BEGIN "{\"ph\":\"X\",\"args\":{\"a\":";
	const size_t length = strlen(deep);
	memset(deep + length, '[', 200);
	expect_refusal(deep, "nested more than 64");
	expect_refusal(BEGIN, "ends in the middle");
	expect_refusal(BEGIN KERNEL("k", 1, 2, 3), "ends in the middle");
	expect_refusal(BEGIN KERNEL("k", 1, -2, 3) END, "less than none");
	expect_refusal(BEGIN KERNEL("k", 1e300, 2, 3) END, "which no clock shows");
	expect_refusal(BEGIN KERNEL("k", 1, 1e999, 3) END, "too large");
	expect_refusal(BEGIN KERNEL("k", 01, 1, 3) END, "is no number");
	expect_refusal(BEGIN "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1}]}", "no \"dur\"");
	expect_refusal(BEGIN "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":\"1\",\"dur\":1}]}", "microseconds");
	expect_refusal(BEGIN KERNEL("k", 1, 2, 3) "]}", "where a"); /* a comma too many */
	expect_refusal(BEGIN KERNEL("k\\q", 1, 2, 3) END, "an escape");
	expect_refusal(BEGIN KERNEL("k\n", 1, 2, 3) END, "the rest of a text");
	expect_refusal(BEGIN END " x", "the end of the file");
	expect_refusal(BEGIN "],\"traceEvents\":[]}", "twice");
	expect_refusal("{\"schemaVersion\":1}", "has no \"traceEvents\"");
	expect_refusal(BEGIN END, "no kernel");
	expect_refusal(BEGIN X("user_annotation", "ProfilerStep#1", 1, 0, 100, "") X(
			       "user_annotation", "ProfilerStep#2", 2, 50, 100, "") KERNEL("k", 1, 2, 3) END,
		"overlap");
	expect_refusal(BEGIN X("user_annotation", "forward", 1, 0, 100, "")
			       X("user_annotation", "backward", 1, 50, 100, "") KERNEL("k", 1, 2, 3) END,
		"without nesting");
}

/* One line of some megabytes. */
static void many_events(void **state)
{
	(void)state;
	enum { EVENTS = 100000 };
	char *text = malloc((size_t)EVENTS * 120 + 200);
	assert_non_null(text);
	char *at = text + sprintf(text, "[");
	for (unsigned i = 0; i < EVENTS; i++)
		at += sprintf(at, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"ts\":%u,\"dur\":6},",
			i % 10 ? "k" : "ncclKernel_AllReduce", 10 * i);
	sprintf(at, "{\"ph\":\"i\"}]");
	const char *const texts[] = {text};
	struct loaded loaded = load(texts, 1, "data=2");
	assert_true(loaded.ok);
	assert_close(seconds_of(&loaded, PARADL_PART_TOTAL), (10.0 * EVENTS - 4) * 1e-6, 1e-9);
	paradl_arena_free(loaded.arena);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timelines_are_counted_by_hand),
		cmocka_unit_test(idle_moments),
		cmocka_unit_test(a_trace_by_hand),
		cmocka_unit_test(ranks_differ),
		cmocka_unit_test(hostile_traces),
		cmocka_unit_test(many_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
