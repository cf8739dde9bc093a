/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme of federated training says what one client holds, sends and computes in a round, and how long the clients
 * that work together (a cluster; mostly one client) are busy between receiving from the server and sending back. It is
 * one `const struct federated_scheme` in schemes.c. The rest is common to
 * all schemes: who takes part, transfers that share the server's link, the slowest client. Formulas:
 * paradl-formulas(7), "Federated rounds".
 */
#ifndef STUDY_JOB_FEDERATED_H
#define STUDY_JOB_FEDERATED_H

#include "oracle/oracle.h"
#include "paradl/study.h"

enum { FEDERATED_GROUPS_MAX = 64, WEIGHT_BYTES = 4 }; /* weights and activations travel as fp32 */

/* The costs of a network on the device of one group, with the batch of the round. */
struct network_cost {
	double parameters, head_parameters;             /* head: the layers before the cut */
	double step_s, forward_s;                       /* training step, forward pass of one batch */
	double head_s;                                  /* part of step_s in the head */
	double cut_bytes;                               /* activation of one sample at the cut */
	double classes;                                 /* outputs of one sample */
	double penultimate_items;                       /* weights of the last layer */
	double state_bytes;                             /* weights, gradients, optimizer */
	double activation_bytes, head_activation_bytes; /* kept activations of one batch */
	double other_bytes;                             /* workspace, runtime */
};

/* A group's device, as the schemes see it. */
struct federated_device {
	const struct paradl_client_group *group;
	struct paradl_oracle *oracle;
	double slower; /* factor on the oracle's times */
	double memory_bytes, busy_watt, bytes_per_s;
	double steps; /* steps of one round: epochs * samples / batch */
};

/* The question that a scheme answers. */
struct federated_work {
	const struct paradl_federation *federation;
	const struct federated_device *devices; /* by group */
	size_t count;
	const struct network_cost *whole;   /* by group: the network */
	const struct network_cost *part;    /* by group: a client's part; the same network unless divided */
	struct network_cost server;         /* the network on the machine's own device */
	double server_watt;                 /* power of that device; 0: not known */
	double batch, epochs, participants; /* participants: those of this scheme */
	double argument;                    /* argument of the scheme: parts, hops; 0: none */
};

/* The transfers and memory of one client in a round. */
struct client_cost {
	double down_bytes, up_bytes; /* at the beginning and the end of the round */
	double streamed_bytes;       /* each way, to and from the server in between */
	double peer_bytes;           /* to other clients, not through the server */
	double lan_bytes;
	double parameters, memory_bytes;
	double stem_bytes; /* part of memory_bytes: first layers of other networks */
};

/* The times between a cluster's download and its upload. */
struct local_time {
	double compute_s, cluster_s, exchange_s, server_s;
	double server_busy_s; /* compute of one server device for this cluster */
};

enum scheme_argument { SCHEME_PLAIN, SCHEME_COUNT, SCHEME_LAYER };

struct federated_scheme {
	const char *name, *summary;
	const char *evidence; /* origin of its costs, for people */
	enum scheme_argument argument;
	const char *argument_name; /* "S" */
	double least, most, usual; /* range and default of a SCHEME_COUNT argument */
	bool divides;              /* the network becomes `argument` narrower ones, one for each client */
	bool others;               /* a model visits `argument` other clients, none of them twice */
	/* Fills in the costs of one client of a group. */
	void (*client)(const struct federated_work *work, size_t group, struct client_cost *cost);
	/* Fills in the times of a cluster. members: clients of each group; `argument` in all if it divides, else 1. */
	void (*local)(const struct federated_work *work, const unsigned *members, struct local_time *time);
	/* Returns the floating-point operations of the server in a round; NULL: none. */
	double (*server_flop)(const struct federated_work *work);
};

extern const struct federated_scheme federated_feddct; /* the scheme that divides networks */
enum { SCHEMES = 6 };
extern const struct federated_scheme *const federated_schemes[SCHEMES + 1]; /* NULL-terminated; schemes.c */

/* ---- networks: federate_network.c, federate_narrow.c ---- */

/* Fills in the costs of a network on the device of an oracle. cut: units of its chain before the cut. */
bool network_cost_fill(struct paradl_oracle *oracle, double batch, double slower, unsigned cut,
	struct paradl_arena *arena, struct network_cost *cost, struct paradl_error *error);
/*
 * Returns an oracle like this one for another network (NULL: the same) or device (NULL: the same), without input;
 * NULL: error.
 */
struct paradl_oracle *oracle_for(struct paradl_oracle *oracle, struct paradl_arena *arena,
	const struct paradl_model *model, const char *device, struct paradl_error *error);
/*
 * Returns the units before the cut that `text` gives: their number, or the name of the layer that ends the last; 0:
 * error.
 */
unsigned network_cut(const struct paradl_model *model, const char *text, struct paradl_error *error);

/*
 * Returns the share of its width that a network has when divided into `parts`, as in FedDCT's programs
 * (federate_narrow.c).
 */
double narrow_share(const char *name, double first_width, double parts);
/* Returns the network with that share of its width; NULL: it cannot be divided, and *error says why. */
const struct paradl_model *narrow_build(struct paradl_arena *arena, const struct paradl_model *model,
	double parts, struct paradl_error *error);

/* ---- transfers through one server: federate_network.c ---- */

/* `count` clients (maybe not whole) that each move `bytes` at up to `bytes_per_s`, from start_s on. */
struct transfer {
	double count, bytes, bytes_per_s, start_s;
	double end_s;                       /* set by transfers_run */
	double left_bytes, now_bytes_per_s; /* state while it runs; rate 0: before the start, after the end */
};
/* Finds the ends of transfers that share server_bytes_per_s (0: no limit) max-min fairly. */
void transfers_run(struct transfer *transfers, size_t count, double server_bytes_per_s);

/* ---- clusters and draws: federate_round.c ---- */

/* A kind of cluster: `count` clusters with the same members. */
struct cluster {
	double count;
	unsigned members[FEDERATED_GROUPS_MAX]; /* clients of each group */
	double begin_s, end_s;                  /* all members have received; the last has sent */
	struct local_time time;
};
/*
 * Makes clusters of clients in the order of their groups, `size` at a time; clients that are left over sit out.
 * Returns the number of kinds, and in *total that of clusters.
 */
size_t clusters_make(
	const struct federated_work *work, unsigned size, struct cluster *clusters, double *total);
/* Returns the mean of the largest end_s when `drawn` of `total` clusters are drawn. */
double clusters_mean_end(const struct cluster *clusters, size_t count, double total, double drawn);

/*
 * Fills in a round of a scheme; result must be zeroed except for the scheme's name and texts. work->participants is
 * that of the federation, and is set to that of the scheme. True without `possible`: result->reason says why. False:
 * out of memory.
 */
bool round_fill(struct federated_work *work, const struct federated_scheme *scheme,
	struct paradl_arena *arena, struct paradl_round *result, struct paradl_error *error);

#endif
