/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under mpirun: every plan of the training step has the loss and the gradients of one rank alone;
 * and a rank that computes something else is found out.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include "step/trainer.h"

static const double tolerance = 1e-4;

double clock_s(void) /* the harness's */
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Filters and classes that 4 ranks share unevenly, a stride, windows of both poolings, halos at every convolution. */
static bool network_make(struct network *network)
{
#define CASE(kind_, ...)                                                                                     \
	{                                                                                                    \
		.kind = (kind_), .parameters = {__VA_ARGS__},                                                \
		.parameter_count = sizeof((struct parameter[]){__VA_ARGS__}) / sizeof(struct parameter)      \
	}
#define RELU                                                                                                 \
	{                                                                                                    \
		.kind = "relu"                                                                               \
	}
	static const struct case_line lines[] = {
		CASE("convolution", {"channels", NULL, 3}, {"filters", NULL, 10}, {"kernel", "5,3", 0},
			{"pad", "2,1", 0}, {"x", "16,8", 0}, {"y", "16,8", 0}, {"bias", NULL, 1}),
		RELU,
		CASE("convolution", {"channels", NULL, 10}, {"filters", NULL, 12}, {"kernel", "3,3", 0},
			{"stride", "2,2", 0}, {"pad", "1,1", 0}, {"x", "16,8", 0}, {"y", "8,4", 0}),
		RELU,
		CASE("max-pool", {"kernel", "2,2", 0}, {"stride", "2,2", 0}, {"x", "8,4", 0},
			{"y", "4,2", 0}),
		CASE("convolution", {"channels", NULL, 12}, {"filters", NULL, 10}, {"kernel", "3,1", 0},
			{"pad", "1,0", 0}, {"x", "4,2", 0}, {"y", "4,2", 0}, {"bias", NULL, 1}),
		RELU,
		CASE("linear", {"channels", NULL, 80}, {"filters", NULL, 11}, {"bias", NULL, 1}),
		RELU,
		CASE("linear", {"channels", NULL, 11}, {"filters", NULL, 7}, {"bias", NULL, 1}),
		{.kind = "softmax-loss"},
	};
	char reason[REASON_LENGTH];
	const char *why = network_read(network, lines, sizeof lines / sizeof lines[0], reason);
	if (why)
		printf("%s\n", why);
	return !why;
}

/* As it is it must agree, and with one wrong weight on each rank it must not. */
static bool fails(const struct network *network, const char *name, const struct assignment *assignment)
{
	char reason[REASON_LENGTH];
	bool absent;
	unsigned where;
	struct trainer *trainer = trainer_create(network, assignment, reason, &absent);
	if (exchange_most(trainer ? 0 : 1) > 0) {
		printf("%s: %s\n", name, trainer ? "another rank" : reason);
		trainer_free(trainer);
		return true;
	}
	const double difference = exchange_most(trainer_difference(trainer, &where));
	for (unsigned i = trainer->first; i < trainer->end; ++i)
		if (layer_has_weights(&trainer->network->layers[i])) {
			trainer->weights[trainer->parts[i].weights_at] += 0.3F;
			break;
		}
	const double wrong = exchange_most(trainer_difference(trainer, &where));
	trainer_free(trainer);
	const bool fine = difference >= 0 && difference < tolerance && wrong > 10 * tolerance;
	if (assignment->peers.rank == 0)
		printf("%s %s: %.2g from one rank alone, %.2g with a wrong weight\n", fine ? "ok" : "not ok",
			name, difference, wrong);
	return !fine;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"alone", "data", "spatial", "filter", "channel", "pipeline"};
	static struct network network;
	int rank, count;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	bool failed = !network_make(&network);
	for (enum axis axis = AXIS_DATA; !failed && axis <= AXIS_PIPELINE; ++axis) {
		const struct assignment assignment = {
			.axis = axis,
			.peers = {(unsigned)rank, (unsigned)count},
			.batch = 8,
			.micro_batches = axis == AXIS_PIPELINE ? 4 : 1,
		};
		failed = fails(&network, names[axis], &assignment);
	}
	MPI_Finalize();
	return failed;
}
