/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradients beside collectives of layers, against a simulation of one port: the backward computes and exchanges in turn, buckets
 * of gradients become ready one by one, and whoever sends at the same time shares the port fairly.
 */
#include <math.h>
#include <string.h>

#include "oracle/setup.h"

#include "model/transformer.h"

enum { BUCKETS = 10, TURNS = 1000 };

static struct paradl_oracle *oracle_of(struct setup *setup, double port_gb_per_s, const char *gradient_bytes)
{
	static const struct transformer_shape shape = {.name = "t",
		.precision = "bf16-mixed",
		.layers = 8,
		.hidden = 1024,
		.heads = 16,
		.ffn = 4096,
		.vocabulary = 32768,
		.sequence = 2048};
	const struct paradl_options options = {.events = false};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"1 TB\", \"memory_rate\": \"1e17 B/s\", "
		"\"peak\": {\"fp32\": \"100 Tflop/s\", \"bf16\": \"100 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}, \"attention\": {\"forward\": 1, \"backward\": 1}",
		arena_printf(setup->arena,
			"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"1000 "
			"GB/s\", "
			"\"ring\": \"1000 GB/s\", \"ports\": 1}, "
			"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"0 s\", \"bandwidth\": \"%g "
			"GB/s\", "
			"\"ring\": \"%g GB/s\", \"ports\": 8}",
			port_gb_per_s, port_gb_per_s));
	const struct paradl_framework *const framework = setup_framework(
		setup, arena_printf(setup->arena,
			       ", \"activations\": {\"rings\": 0}, \"gradients\": {\"rings\": 0}, "
			       "\"training\": {\"passes\": 0.1, \"overlap_gradients\": 0.9, "
			       "\"gradient_bytes\": \"%s\"}",
			       gradient_bytes));
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

/* Returns the seconds that `by` fills links of this reach. */
static double load_s(const struct paradl_explanation *explanation, bool across, const char *by)
{
	double s = 0;
	for (size_t i = 0; i < explanation->load_count; ++i)
		if (explanation->loads[i].across == across && strcmp(explanation->loads[i].by, by) == 0)
			s += explanation->loads[i].seconds;
	return s;
}

/* A backward in turns of compute and of its own exchange, and gradients of which a bucket becomes ready after each tenth of it. */
struct port {
	double turn_compute_s, turn_exchange_s, bucket_s;
	double clock_s, backlog_s; /* backlog: gradients that are ready and not yet sent, at the full rate */
};

/* Sends gradients for so long at this share of the port. */
static void port_pass(struct port *port, double s, double rate)
{
	port->clock_s += s;
	port->backlog_s = fmax(0, port->backlog_s - s * rate);
}

static void port_exchange(struct port *port)
{
	/* Half of the port each while gradients wait; then all of it. */
	const double shared_s = fmin(port->turn_exchange_s, port->backlog_s);
	port_pass(port, 2 * shared_s, 0.5);
	port_pass(port, port->turn_exchange_s - shared_s, 0);
}

static double simulated_s(double compute_s, double exchange_s, double gradients_s)
{
	struct port port = {.turn_compute_s = compute_s / TURNS,
		.turn_exchange_s = exchange_s / TURNS,
		.bucket_s = gradients_s / BUCKETS};
	for (unsigned turn = 0; turn < TURNS; ++turn) {
		port_pass(&port, port.turn_compute_s, 1);
		port_exchange(&port);
		if ((turn + 1) % (TURNS / BUCKETS) == 0)
			port.backlog_s += port.bucket_s;
	}
	return port.clock_s + port.backlog_s;
}

static void check(
	struct setup *setup, double port, const char *gradient_bytes, const char *words, bool shared)
{
	struct paradl_oracle *const oracle = oracle_of(setup, port, gradient_bytes);
	const struct paradl_plan plan = setup_plan(words, shared ? 4 : 8);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	struct paradl_explanation explanation;
	assert_true(paradl_explain(oracle, &plan, setup->arena, &explanation, NULL));
	const double gradients_s = load_s(&explanation, true, "gradients");
	const double tensor_s = load_s(&explanation, shared, "tensor") / 2;
	assert_true(gradients_s > 0 && tensor_s > 0);
	const double compute_s = estimate.phase_s[PARADL_BACKWARD];
	const double alone_s = shared ? 0 : tensor_s; /* of other links */
	const double exposed_s = estimate.phase_s[PARADL_GRADIENT_EXCHANGE] - estimate.gradient_hidden_s;
	const double expected = simulated_s(compute_s + alone_s, shared ? tensor_s : 0, gradients_s);
	assert_close(compute_s + tensor_s + exposed_s, expected, 0.02);
	assert_true(exposed_s > 0);
}

static void gradients_share_links_with_layers(void **state)
{
	static const double ports[] = {5, 20, 80, 320};
	for (size_t i = 0; i < sizeof ports / sizeof *ports; ++i) {
		check(*state, ports[i], "2 B", "data=4,tensor=16", true);
		check(*state, ports[i], "8 B", "data=4,tensor=16", true);
		check(*state, ports[i], "4 B", "data=8,tensor=8", false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(gradients_share_links_with_layers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
