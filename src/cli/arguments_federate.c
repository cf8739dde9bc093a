/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of federate, about rounds of federated learning. */
#include "cli/arguments_rows.h"
#include "paradl/study.h"

#define FEDERATE(...) ROW("federate", __VA_ARGS__)
#define RATE(name_, field)                                                                                   \
	FEDERATE(name_, OPTION_QUANTITY, field, "RATE"), .dimension = DIMENSION_BYTES_PER_S, .group = "Links"

static const char *exchange_name(size_t index)
{
	return index < PARADL_EXCHANGE_COUNT ? paradl_exchange_route_name((enum paradl_exchange_route)index)
					     : NULL;
}

static const struct option_row rows[] = {
	{FEDERATE("clients", OPTION_TEXT, clients, "SPEC"), .completes = "file", .group = "Clients",
		.help = "how many clients, or FILE.json of groups of them; paradl-clients(5)"},
	{FEDERATE("samples-per-client", OPTION_COUNT, client_samples, "N"), .min = 1, .max = 1e15,
		.group = "Clients", .help = "samples of each (default the data set shared out)"},
	{FEDERATE("participants", OPTION_COUNT, participants, "K"), .min = 1, .max = 1e9, .group = "Clients",
		.help = "clients of each round, drawn at random (default all)"},
	{FEDERATE("scheme", OPTION_TEXT, scheme, "LIST"), .group = "Round",
		.help = "schemes: fedavg, fedprox, cadis, ... (default all); model-exchange:H, "
			"splitfed:LAYER, feddct:S, too; the first is shown in depth, the others beside it"},
	{FEDERATE("local-epochs", OPTION_COUNT, local_epochs, "E"), .initial = "1", .min = 1, .max = 1e6,
		.group = "Round", .help = "passes over its samples in a round"},
	{FEDERATE("local-batch", OPTION_COUNT, local_batch, "N"), .formerly = "batch", .min = 1, .max = 1e9,
		.group = "Round", .help = "samples of a client's step (default the model's)"},
	{FEDERATE("exchange", OPTION_CHOICE, exchange, "WAY"), .choice = exchange_name, .initial = "peers",
		.group = "Round", .help = "how models of model-exchange travel"},
	{FEDERATE("rounds", OPTION_COUNT, rounds, "R"), .min = 1, .max = 1e12, .group = "Round",
		.help = "rounds of the whole training; its time and traffic are shown; never predicted"},
	{FEDERATE("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Round", .help = "say how many rounds fit: '12 h', '7 d'"},
	{RATE("up", up), .initial = "20 Mb/s", .help = "upload rate of each client"},
	{RATE("down", down), .initial = "100 Mb/s", .help = "download rate of each client"},
	{RATE("lan", lan), .initial = "1 Gb/s", .help = "rate of each client to others of its cluster"},
	{RATE("server", server), .initial = "10 Gb/s",
		.help = "rate of the server each way, for all clients together"},
	{FEDERATE("server-devices", OPTION_COUNT, server_devices, "N"), .min = 1, .max = 1e9,
		.group = "Links",
		.help = "devices that train the server's part; splitfed: of HW; without it one for each "
			"client"},
};

const struct option_table arguments_federate = {rows, sizeof rows / sizeof rows[0], NULL};
