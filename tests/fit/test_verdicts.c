/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts on published curves (tests/data/nccl_curves.csv) whose notes say what was wrong with them, on the others, which
 * must not be blamed for it, and on machines made up to have one fault each.
 */
#include "published.h"

#include "fit/calibration.h"
#include "machine/machine.h"
#include "paradl/network.h"

static void (*const judges[])(struct calibration *) = {
#define X(id) judge_##id,
#include "fit/verdict/list.def"
#undef X
	NULL};

struct bench {
	struct paradl_arena *arena;
	struct sample_set set;
	struct cells cells;
	struct paradl_calibration result;
	struct paradl_machine machine;
	bool has_machine;
};

static void begin(struct bench *bench)
{
	memset(bench, 0, sizeof *bench);
	bench->arena = paradl_arena_create();
	assert_non_null(bench->arena);
}

static struct sample_launch *launch_add(struct bench *bench, const char *id)
{
	struct sample_launch *launch = sample_launch_add(bench->arena, &bench->set);
	assert_non_null(launch);
	*launch = (struct sample_launch){
		.file = "made-up.jsonl", .id = id, .program = "test", .host = "n1", .date = ""};
	return launch;
}

static struct sample_point *point_add(struct bench *bench, struct sample_launch *launch, const char *name,
	const struct sample_parameter *parameters, unsigned count, double seconds)
{
	struct sample_point *point = sample_point_add(bench->arena, &bench->set);
	struct sample_parameter *kept = arena_alloc(bench->arena, count + 1, sizeof *kept);
	double *times = arena_alloc(bench->arena, 1, sizeof *times);
	assert_true(point && kept && times);
	memcpy(kept, parameters, count * sizeof *kept);
	*times = seconds;
	point->launch = launch;
	point->line = (int)bench->set.count;
	point->name = arena_text(bench->arena, name);
	point->bench = arena_copy(bench->arena, name, strcspn(name, "/"));
	point->parameters = kept;
	point->parameter_count = count;
	point->seconds = times;
	point->count = 1;
	return point;
}

static void collective_add(struct bench *bench, struct sample_launch *launch, const char *operation,
	const char *library, unsigned nodes, unsigned devices, unsigned groups, double bytes, double seconds)
{
	const bool is_pair = strcmp(operation, "point-to-point") == 0;
	const struct sample_parameter parameters[] = {
		{"library", library, 0},
		{"buffer", "device", 0},
		{"nodes", NULL, nodes},
		{"devices", NULL, devices},
		{"groups", NULL, groups},
		{"bytes", NULL, bytes},
		{"distance", "far", 0},
	};
	point_add(bench, launch,
		arena_printf(bench->arena, "%s/%s/%ux%ux%u/%.0f", operation, library, nodes, devices, groups,
			bytes),
		parameters, is_pair ? 7 : 6, seconds);
}

static void judge_all(struct bench *bench)
{
	struct paradl_error error = {0};
	struct calibration calibration = {.arena = bench->arena,
		.cells = &bench->cells,
		.before = bench->has_machine ? &bench->machine : NULL,
		.result = &bench->result,
		.error = &error};
	if (!cells_make(bench->arena, &bench->set, &bench->cells, &error))
		fail_msg("%s", error.message);
	for (size_t i = 0; judges[i]; ++i)
		judges[i](&calibration);
	if (calibration.failed)
		fail_msg("%s", error.message);
}

static const struct paradl_verdict *found(const struct bench *bench, const char *judge)
{
	for (size_t i = 0; i < bench->result.verdict_count; ++i)
		if (strcmp(bench->result.verdicts[i].judge, judge) == 0)
			return &bench->result.verdicts[i];
	return NULL;
}

/* Negative: there is none. */
static int severity_of(const struct bench *bench, const char *judge)
{
	const struct paradl_verdict *verdict = found(bench, judge);
	return verdict ? (int)verdict->severity : -1;
}

static const char *text_of(const struct bench *bench, const char *judge)
{
	const struct paradl_verdict *verdict = found(bench, judge);
	return verdict ? verdict->text : "";
}

static void end(struct bench *bench)
{
	paradl_arena_free(bench->arena);
}

/* Two nodes of four devices with two ports of 12.5 GB/s. */
static void machine_make(struct bench *bench)
{
	bench->has_machine = true;
	bench->machine = (struct paradl_machine){.name = "made up",
		.level_count = 2,
		.levels = {{.name = "node",
				   .devices = 4,
				   .latency_s = 2e-6,
				   .bandwidth_bytes_per_s = 50e9,
				   .ring_bytes_per_s = 50e9,
				   .ports = 4,
				   .oversubscription = 1},
			{.name = "network",
				.devices = 32,
				.latency_s = 2e-6,
				.bandwidth_bytes_per_s = 12.5e9,
				.ring_bytes_per_s = 10e9,
				.ports = 2,
				.oversubscription = 1}},
		.devices = 32,
		.devices_per_node = 4};
	bench->machine.device.memory_bytes_per_s = 900e9;
	bench->machine.device.peak_flop_per_s[PARADL_FP32] = 15e12;
	bench->machine.device.efficiency = 0.8;
	bench->machine.device.link.host_bytes_per_s = 12e9;
}

/* ---- published curves ----------------------------------------------------------------------------------- */

static const char *operation_of_csv(const char *operation)
{
	static const char *const names[][2] = {{"all_reduce", "allreduce"}, {"broadcast", "broadcast"},
		{"alltoall", "all-to-all"}, {"reduce_scatter", "reduce-scatter"},
		{"pt2pt_latency", "point-to-point"}, {"pt2pt_bw", "point-to-point"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
		if (strcmp(operation, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}

static bool curve_add(struct bench *bench, const struct published_curve *curve)
{
	const char *operation = operation_of_csv(curve->operation);
	const bool is_osu = strstr(curve->tool, "OSU") != NULL,
		   is_pair = strstr(curve->operation, "pt2pt") != NULL;
	if (!operation || curve->points == 0 ||
		(is_pair && (strstr(curve->id, "pairs4") || strstr(curve->id, "pairs8"))))
		return false;
	struct sample_launch *launch = launch_add(bench, curve->id);
	for (unsigned i = 0; i < curve->points; ++i) {
		const bool is_all_to_all = strcmp(operation, "all-to-all") == 0;
		const double bytes = curve->bytes[i] * (is_osu && is_all_to_all ? curve->devices : 1);
		const struct sample_parameter parameters[] = {
			{"library", is_osu || is_pair ? "mpi" : "nccl", 0},
			{"buffer", curve->buffer, 0},
			{"way", strcmp(curve->operation, "pt2pt_bw") == 0 ? "stream" : "block", 0},
			{"nodes", NULL, curve->nodes},
			{"devices", NULL, curve->devices},
			{"bytes", NULL, bytes},
			{"distance", "far", 0},
		};
		point_add(bench, launch,
			arena_printf(bench->arena, "%s/%s/%.0f", operation, curve->id, bytes), parameters,
			is_pair ? 7 : 6, curve->time_s[i]);
	}
	return true;
}

/* What may be said of it: not the few sizes and launches that all have. */
static bool was_misconfigured(const struct published_curve *curve)
{
	return strstr(curve->id, "nocxi") || strstr(curve->id, "ipoib") || strstr(curve->id, "noisy");
}

static void fallbacks_are_found_and_no_others(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct published published;
	unsigned healthy = 0, faulty = 0;
	published_load(arena, &published);
	for (size_t i = 0; i < published.count; ++i) {
		const struct published_curve *curve = &published.curves[i];
		struct bench bench;
		if (!published_is_healthy(curve))
			continue;
		begin(&bench);
		if (curve_add(&bench, curve)) {
			judge_all(&bench);
			const bool is_faulty = was_misconfigured(curve) && !strstr(curve->id, "noisy");
			if ((found(&bench, "tcp-fallback") != NULL) != is_faulty)
				fail_msg("%s: tcp-fallback is %sfound", curve->id, is_faulty ? "not " : "");
			faulty += is_faulty;
			healthy += !is_faulty;
		}
		end(&bench);
	}
	assert_true(healthy > 90);
	assert_true(faulty >= 4);
	paradl_arena_free(arena);
}

static void loaded(struct bench *bench, const char *path)
{
	struct paradl_error error = {0};
	begin(bench);
	if (!samples_load(bench->arena, path, &bench->set, &error))
		fail_msg("%s", error.message);
	judge_all(bench);
}

static void noise_is_found(void **unused)
{
	(void)unused;
	struct bench bench;
	loaded(&bench, "tests/data/logs/roce-noisy.all_reduce.txt");
	assert_non_null(found(&bench, "noisy"));
	assert_int_equal(severity_of(&bench, "noisy"), PARADL_BAD);
	assert_non_null(found(&bench, "not-monotone"));
	end(&bench);
	loaded(&bench, "tests/data/logs/abci-v-allreduce.nccl-tests.txt");
	assert_null(found(&bench, "noisy"));
	assert_null(found(&bench, "tcp-fallback"));
	assert_null(found(&bench, "node-count"));
	assert_null(found(&bench, "two-nodes"));
	end(&bench);
}

/* The 8-node run of ABCI's A nodes is half as fast as that on 4 nodes; those of the V nodes are in line. */
static void odd_node_counts_are_found(void **unused)
{
	(void)unused;
	static const struct {
		const char *prefix;
		bool is_odd;
	} cases[] = {{"abci_a_allreduce_nccl_n", true}, {"abci_v_allreduce_nccl_n", false},
		{"abci_v_allreduce_mpi_n", false}, {"abci_v_allreduce_mpi_cpu_n", false}};
	struct paradl_arena *arena = paradl_arena_create();
	struct published published;
	published_load(arena, &published);
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		struct bench bench;
		begin(&bench);
		for (size_t i = 0; i < published.count; ++i)
			if (strncmp(published.curves[i].id, cases[k].prefix, strlen(cases[k].prefix)) == 0)
				curve_add(&bench, &published.curves[i]);
		judge_all(&bench);
		const char *text = text_of(&bench, "node-count");
		if (cases[k].is_odd)
			assert_non_null(strstr(text, "8 nodes, 64 devices"));
		else if (*text)
			fail_msg("%s: %s", cases[k].prefix, text);
		end(&bench);
	}
	paradl_arena_free(arena);
}

/* ---- made-up machines ------------------------------------------------------------------------------------- */

/* One way of a message between nodes: 15 us is odd only where ports are RDMA's, 40 us is TCP. */
static void slow_messages(void **unused)
{
	(void)unused;
	static const struct {
		double start_s;
		bool has_machine;
		int severity; /* negative: none */
	} cases[] = {{2e-6, true, -1}, {20e-6, true, PARADL_NOTE}, {20e-6, false, -1},
		{40e-6, true, PARADL_BAD}, {40e-6, false, PARADL_SUSPECT}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct bench bench;
		begin(&bench);
		if (cases[i].has_machine)
			machine_make(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		for (double bytes = 1; bytes <= 1 << 20; bytes *= 4)
			collective_add(&bench, launch, "point-to-point", "mpi", 2, 2, 1, bytes,
				cases[i].start_s + bytes / 10e9);
		judge_all(&bench);
		assert_int_equal(severity_of(&bench, "tcp-fallback"), cases[i].severity);
		end(&bench);
	}
}

/* Four pairs over two ports of 12.5 GB/s: 24 GB/s together is both, 12 is one. */
static void ports(void **unused)
{
	(void)unused;
	for (unsigned used = 1; used <= 2; ++used) {
		struct bench bench;
		begin(&bench);
		machine_make(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		for (double bytes = 1 << 20; bytes <= 64 << 20; bytes *= 4)
			collective_add(&bench, launch, "point-to-point", "mpi", 2, 2, 4, bytes,
				2e-6 + 4 * bytes / (12e9 * used));
		judge_all(&bench);
		assert_int_equal(found(&bench, "port-missing") != NULL, used == 1);
		end(&bench);
	}
}

/* Allreduces of one node at the profile's rate, at half and at a fifth of it. */
static void bus_bandwidth(void **unused)
{
	(void)unused;
	static const double slower[] = {1.2, 2.5, 6};
	static const int severities[] = {-1, PARADL_SUSPECT, PARADL_BAD};
	for (size_t i = 0; i < 3; ++i) {
		struct bench bench;
		struct paradl_error error = {0};
		begin(&bench);
		machine_make(&bench);
		const double bytes = 64 << 20;
		const struct paradl_collective_request request = {
			.operation = PARADL_ALLREDUCE, .ranks = 4, .bytes = &bytes, .count = 1};
		struct paradl_collective_table table;
		struct paradl_network *network = paradl_network_create(bench.arena, &bench.machine, &error);
		if (!network || !paradl_collective(network, &request, bench.arena, &table, &error))
			fail_msg("%s", error.message);
		collective_add(&bench, launch_add(&bench, "a"), "allreduce", "nccl 2.8.4", 1, 4, 1, bytes,
			table.rows[0].time_s * slower[i]);
		judge_all(&bench);
		assert_int_equal(severity_of(&bench, "bus-bandwidth"), severities[i]);
		end(&bench);
	}
}

static void impossible_rates(void **unused)
{
	(void)unused;
	struct bench bench;
	begin(&bench);
	machine_make(&bench);
	collective_add(&bench, launch_add(&bench, "a"), "point-to-point", "mpi", 2, 2, 1, 64 << 20,
		(64 << 20) / 26e9);
	judge_all(&bench);
	assert_null(found(&bench, "beyond-line-rate")); /* 25 GB/s, and a little for clocks */
	end(&bench);
	begin(&bench);
	machine_make(&bench);
	collective_add(&bench, launch_add(&bench, "a"), "point-to-point", "mpi", 2, 2, 1, 64 << 20,
		(64 << 20) / 30e9);
	collective_add(&bench, launch_add(&bench, "b"), "allreduce", "nccl", 2, 8, 1, 64 << 20,
		(64 << 20) * 1.75 / 30e9);
	judge_all(&bench);
	assert_int_equal(
		severity_of(&bench, "beyond-line-rate"), PARADL_NOTE); /* sorted: the allreduce is first */
	assert_null(found(&bench, "self-copy"));
	end(&bench);
	begin(&bench);
	const struct sample_parameter peer[] = {
		{"kind", "peer", 0}, {"size", NULL, 1 << 28}, {"from", NULL, 0}, {"to", NULL, 1}};
	point_add(&bench, launch_add(&bench, "a"), "transfer/peer", peer, 4, (1 << 28) / 1439e9);
	judge_all(&bench);
	assert_int_equal(severity_of(&bench, "self-copy"), PARADL_BAD);
	end(&bench);
	begin(&bench);
	point_add(&bench, launch_add(&bench, "a"), "transfer/peer", peer, 4, (1 << 28) / 48e9);
	judge_all(&bench);
	assert_null(found(&bench, "self-copy"));
	end(&bench);
}

/* Copies to a device over a link of 12 GB/s: all lanes, half of them, a quarter. */
static void lanes(void **unused)
{
	(void)unused;
	static const double rates[] = {11.5e9, 6.2e9, 3e9};
	static const char *const words[] = {NULL, "half", "quarter"};
	for (size_t i = 0; i < 3; ++i) {
		struct bench bench;
		begin(&bench);
		machine_make(&bench);
		const struct sample_parameter copy[] = {
			{"kind", "to-device", 0}, {"pinned", NULL, 1}, {"size", NULL, 1 << 28}};
		point_add(
			&bench, launch_add(&bench, "a"), "transfer/to-device", copy, 3, (1 << 28) / rates[i]);
		judge_all(&bench);
		assert_int_equal(found(&bench, "pcie-width") != NULL, words[i] != NULL);
		if (words[i])
			assert_non_null(strstr(text_of(&bench, "pcie-width"), words[i]));
		end(&bench);
	}
}

/* Products of a device whose profile says 12 Tflop/s of 15. */
static void products(void **unused)
{
	(void)unused;
	static const double rates[] = {11e12, 6e12, 60e12};
	static const int severities[] = {-1, PARADL_SUSPECT, PARADL_BAD};
	for (size_t i = 0; i < 3; ++i) {
		struct bench bench;
		begin(&bench);
		machine_make(&bench);
		const struct sample_parameter product[] = {
			{"precision", "fp32", 0}, {"m", NULL, 4096}, {"busy", NULL, 1}};
		struct sample_point *point =
			point_add(&bench, launch_add(&bench, "a"), "gemm/4096", product, 3, 1e12 / rates[i]);
		point->flop = 1e12;
		judge_all(&bench);
		assert_int_equal(severity_of(&bench, "product-rate"), severities[i]);
		end(&bench);
	}
}

/* Pairs of five hosts, one of them three times as slow; five launches, one of them 1.4 times. */
static void slow_ones(void **unused)
{
	(void)unused;
	for (unsigned fault = 0; fault < 2; ++fault) {
		struct bench bench;
		begin(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		for (unsigned host = 0; host < 5; ++host)
			for (double bytes = 8; bytes <= 1 << 20; bytes *= 8) {
				const char *name = arena_printf(bench.arena, "g%u", host);
				const struct sample_parameter pair[] = {{"distance", "far", 0},
					{"host", name, 0}, {"from", NULL, 0}, {"to", NULL, host + 1},
					{"bytes", NULL, bytes}};
				point_add(&bench, launch,
					arena_printf(bench.arena, "point-to-point/%u/%.0f", host, bytes),
					pair, 5,
					(2e-6 + bytes / 10e9) * (fault && host == 3 ? 3 : 1 + 0.02 * host));
			}
		judge_all(&bench);
		assert_int_equal(found(&bench, "slow-node") != NULL, fault);
		if (fault)
			assert_non_null(strstr(text_of(&bench, "slow-node"), "host g3"));
		end(&bench);
		begin(&bench);
		for (unsigned k = 0; k < 5; ++k) {
			launch = launch_add(&bench, arena_printf(bench.arena, "mpi.%u", k));
			for (double bytes = 8; bytes <= 1 << 20; bytes *= 8)
				collective_add(&bench, launch, "allreduce", "mpi", 1, 4, 1, bytes,
					(2e-6 + bytes / 10e9) * (fault && k == 2 ? 1.4 : 1 + 0.01 * k));
		}
		judge_all(&bench);
		assert_int_equal(found(&bench, "slow-launch") != NULL, fault);
		if (fault)
			assert_non_null(strstr(text_of(&bench, "slow-launch"), "mpi.2"));
		assert_null(found(&bench, "few-launches"));
		end(&bench);
	}
}

static void what_programs_saw(void **unused)
{
	(void)unused;
	static const char *const throttled[] = {"throttled", NULL};
	static const struct sample_parameter environment[] = {
		{"oversubscribed", "1", 0}, {"warning", "the library is slow", 0}};
	for (unsigned fault = 0; fault < 2; ++fault) {
		struct bench bench;
		begin(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		collective_add(&bench, launch, "allreduce", "mpi", 1, 4, 1, 1024, 1e-5);
		if (fault) {
			bench.set.points[0].flags = throttled;
			launch->environment = environment;
			launch->environment_count = 2;
		}
		judge_all(&bench);
		assert_int_equal(found(&bench, "throttled") != NULL, fault);
		assert_int_equal(found(&bench, "oversubscribed") != NULL, fault);
		assert_int_equal(found(&bench, "warned") != NULL, fault);
		end(&bench);
	}
}

/* Points of a busy machine: few of them only cost precision, of many no profile is made. */
static void a_busy_machine_is_refused(void **unused)
{
	(void)unused;
	static const char *const contended[] = {"contended", NULL};
	for (unsigned busy = 0; busy <= 10; ++busy) {
		struct bench bench;
		begin(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		for (unsigned i = 0; i < 10; ++i)
			collective_add(&bench, launch, "allreduce", "mpi", 1, 4, 1, 1024 << i, 1e-5);
		for (unsigned i = 0; i < busy; ++i)
			bench.set.points[i].flags = contended;
		judge_all(&bench);
		const struct paradl_verdict *const verdict = found(&bench, "contended");
		assert_int_equal(verdict != NULL, busy > 0);
		assert_true(!verdict || verdict->severity == (busy > 2 ? PARADL_BAD : PARADL_SUSPECT));
		assert_int_equal(paradl_calibration_refused(&bench.result) != NULL, busy > 2);
		end(&bench);
	}
}

/* Clocks that fall by a share in the course of all points; products and streams, whose clocks differ by a fifth, take turns. */
static void warm_devices(void **unused)
{
	(void)unused;
	static const double falls[] = {0, 0.01, 0.05}, streams = 0.8;
	for (size_t i = 0; i < 3; ++i) {
		struct bench bench;
		begin(&bench);
		struct sample_launch *launch = launch_add(&bench, "a");
		const unsigned count = 200;
		for (unsigned k = 0; k < count; ++k) {
			const bool is_stream = k % 3 == 0;
			const struct sample_parameter kind[] = {{"kind", is_stream ? "copy" : "product", 0}};
			const char *name =
				arena_printf(bench.arena, "%s/%u", is_stream ? "memory" : "gemm", k);
			struct sample_point *point = point_add(&bench, launch, name, kind, 1, 1e-3);
			point->clock_mhz = (is_stream ? streams : 1) * 1900 * (1 - falls[i] * k / count);
			point->celsius = 40 + 30. * k / count;
			point->watt = 600;
		}
		judge_all(&bench);
		assert_int_equal(found(&bench, "heating") != NULL, falls[i] > 0.02);
		if (falls[i] > 0.02)
			assert_non_null(strstr(
				text_of(&bench, "heating"), "4.5 % below those of the first (68 and 41"));
		end(&bench);
	}
}

/*
 * Attention of 8 sequences of 2,048 tokens, 16 heads of 64, where products run at 100 Tflop/s and memory at 1 TB/s: 137 Gflop take
 * 1.4 ms, and four passes over 1.07 GB of scores 4.3 ms.
 */
static void unfused_attention(void **unused)
{
	(void)unused;
	static const double seconds[] = {2e-3, 5.6e-3, 5.8e-3};
	for (size_t i = 0; i < 3; ++i) {
		struct bench bench;
		begin(&bench);
		machine_make(&bench);
		bench.machine.device.memory_bytes_per_s = 1e12;
		struct sample_launch *launch = launch_add(&bench, "a");
		const struct sample_parameter product[] = {
			{"precision", "bf16", 0}, {"m", NULL, 4096}, {"busy", NULL, 1}};
		point_add(&bench, launch, "gemm/4096", product, 3, 1e-2)->flop = 1e12;
		const struct sample_parameter pass[] = {{"kind", "forward", 0}, {"precision", "bf16", 0},
			{"sequences", NULL, 8}, {"seq", NULL, 2048}, {"heads", NULL, 16}, {"head", NULL, 64}};
		point_add(&bench, launch, "attention/forward", pass, 6, seconds[i]);
		judge_all(&bench);
		assert_int_equal(found(&bench, "attention-unfused") != NULL, i == 2);
		end(&bench);
	}
}

static void too_little(void **unused)
{
	(void)unused;
	struct bench bench;
	begin(&bench);
	struct sample_launch *launch = launch_add(&bench, "a");
	for (double bytes = 1024; bytes <= 4096; bytes *= 2)
		collective_add(&bench, launch, "allgather", "nccl 2.8.4", 2, 8, 1, bytes, 1e-5);
	judge_all(&bench);
	assert_non_null(found(&bench, "few-launches"));
	assert_non_null(found(&bench, "few-sizes"));
	assert_non_null(found(&bench, "two-nodes"));
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fallbacks_are_found_and_no_others),
		cmocka_unit_test(noise_is_found),
		cmocka_unit_test(odd_node_counts_are_found),
		cmocka_unit_test(slow_messages),
		cmocka_unit_test(ports),
		cmocka_unit_test(bus_bandwidth),
		cmocka_unit_test(impossible_rates),
		cmocka_unit_test(lanes),
		cmocka_unit_test(products),
		cmocka_unit_test(slow_ones),
		cmocka_unit_test(what_programs_saw),
		cmocka_unit_test(a_busy_machine_is_refused),
		cmocka_unit_test(warm_devices),
		cmocka_unit_test(unfused_attention),
		cmocka_unit_test(too_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
