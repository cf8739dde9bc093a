/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme of federated training says what one client holds, sends and computes in a round, and how long the clients that work
 * together (a cluster; mostly one client) are busy between what they get from the server and what they send back. It is one
 * file that ends in one `const struct federated_scheme` and one line X(name) in list.def. The rest is common: who takes part,
 * transfers that share the server's link, the slowest. Formulas: paradl-formulas(7), "Federated rounds".
 */
#ifndef JOB_FEDERATED_H
#define JOB_FEDERATED_H

#include "oracle/oracle.h"

enum { FEDERATED_GROUPS_MAX = 64, WEIGHT_BYTES = 4 }; /* weights and activations travel as fp32 */

/* A network on the device of one group, with the batch of the round. */
struct network_cost {
	double parameters, head_parameters;             /* head: up to where the network is cut */
	double step_s, forward_s;                       /* of one batch */
	double head_s;                                  /* of step_s */
	double cut_bytes;                               /* of one sample, where it is cut */
	double classes;                                 /* outputs of one sample */
	double penultimate_items;                       /* weights of the last layer */
	double state_bytes;                             /* weights, gradients, optimizer */
	double activation_bytes, head_activation_bytes; /* of one batch */
	double other_bytes;                             /* workspace, runtime */
};

/* A group's device, as the schemes see it. */
struct federated_device {
	const struct paradl_client_group *group;
	struct paradl_oracle *oracle;
	double slower; /* times of the oracle are multiplied by it */
	double memory_bytes, busy_watt, bytes_per_s;
	double steps; /* of one round: epochs * samples / batch */
};

/* The question that a scheme answers. */
struct federated_work {
	const struct paradl_federation *federation;
	const struct federated_device *devices; /* by group */
	size_t count;
	const struct network_cost *whole;   /* by group: the network */
	const struct network_cost *part;    /* by group: what of it a client has; the same unless divided */
	struct network_cost server;         /* the network on the machine's own device */
	double server_watt;                 /* of that; 0: not known */
	double batch, epochs, participants; /* participants: of this scheme */
	double argument;                    /* of the scheme: parts, hops; 0 */
};

struct client_cost {
	double down_bytes, up_bytes; /* at the beginning and the end of the round */
	double streamed_bytes;       /* each way, to and from the server in between */
	double peer_bytes;           /* to other clients, not through the server */
	double lan_bytes;
	double parameters, memory_bytes;
	double stem_bytes; /* of memory_bytes, first layers of other networks */
};

/* Between what a cluster gets and what it sends back. */
struct local_time {
	double compute_s, cluster_s, exchange_s, server_s;
	double server_busy_s; /* of one of its devices: compute for this cluster */
};

enum scheme_argument { SCHEME_PLAIN, SCHEME_COUNT, SCHEME_LAYER };

struct federated_scheme {
	const char *name, *summary;
	const char *evidence; /* where its costs are from, for people */
	enum scheme_argument argument;
	const char *argument_name; /* "S" */
	double least, most, usual; /* of a count */
	bool divides;              /* into `argument` narrower networks, one for each client of a cluster */
	bool others;               /* a model visits as many other clients as the argument says: none twice */
	void (*client)(const struct federated_work *work, size_t group, struct client_cost *cost);
	/* members: clients of each group in the cluster, `argument` of them when it divides, else one. */
	void (*local)(const struct federated_work *work, const unsigned *members, struct local_time *time);
	double (*server_flop)(const struct federated_work *work); /* NULL: none */
};

#define X(id) extern const struct federated_scheme federated_##id;
#include "job/federated/list.def"
#undef X
extern const struct federated_scheme *const federated_schemes[]; /* NULL-terminated */

/* ---- parts that schemes share: federate_local.c ---- */

/* The group of a cluster of one. */
size_t local_group(const struct federated_work *work, const unsigned *members);
/* Seconds that a client of this group trains its whole network in a round, once. */
double local_training_s(const struct federated_work *work, size_t group);
/* A client with the whole network that gets and sends it once: what FedAvg does. */
void client_whole(const struct federated_work *work, size_t group, struct client_cost *cost);
/* The rate of one client's transfers when all participants transfer at the same time. */
double shared_rate(const struct federated_work *work, double bytes_per_s);

/* ---- networks: federate_network.c, federate_narrow.c ---- */

/* What a network takes on the device of an oracle. cut: units of its chain before the cut. */
bool network_cost_fill(struct paradl_oracle *oracle, double batch, double slower, unsigned cut,
	struct paradl_arena *arena, struct network_cost *cost, struct paradl_error *error);
/* The same question to another device (name NULL: the same) or about another network (NULL: the same). */
struct paradl_oracle *oracle_for(struct paradl_oracle *oracle, struct paradl_arena *arena,
	const struct paradl_model *model, const char *device, struct paradl_error *error);
/* Units before the cut that a text says: a number of them, or the name of the layer that ends the last; 0: error. */
unsigned network_cut(const struct paradl_model *model, const char *text, struct paradl_error *error);

/* Width of a network divided into `parts`, as FedDCT's programs have it, as a share: narrow.c says how. */
double narrow_share(const char *name, double first_width, double parts);
/* The network that is as wide as that; NULL: it cannot be, and why. */
const struct paradl_model *narrow_build(struct paradl_arena *arena, const struct paradl_model *model,
	double parts, struct paradl_error *error);

/* ---- transfers through one server: federate_transfer.c ---- */

/* `count` clients (maybe not whole) that each move `bytes` at up to `bytes_per_s`, from start_s on. */
struct transfer {
	double count, bytes, bytes_per_s, start_s;
	double end_s;                       /* out */
	double left_bytes, now_bytes_per_s; /* while it runs; now: 0 before the start and after the end */
};
/* All share server_bytes_per_s (0: no limit) fairly: nobody can have more without one that has no more getting less. */
void transfers_run(struct transfer *transfers, size_t count, double server_bytes_per_s);

/* ---- clusters and draws: federate_clusters.c ---- */

struct cluster {
	double count;
	unsigned members[FEDERATED_GROUPS_MAX]; /* by group */
	double begin_s, end_s;                  /* all have what they need; the last has sent */
	struct local_time time;
};
/* Clients in the order of their groups, `size` at a time; clients that are left over sit out. Returns how many kinds. */
size_t clusters_make(
	const struct federated_work *work, unsigned size, struct cluster *clusters, double *total);
/* Mean of the largest end_s when `drawn` of `total` clusters are drawn. */
double clusters_mean_end(const struct cluster *clusters, size_t count, double total, double drawn);

#endif
