/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of hide, about training with fewer samples. */
#include "cli/arguments_rows.h"

#define HIDE(...) ROW("hide", __VA_ARGS__)

static const char *sampler_name(size_t index)
{
	return paradl_sampler(index).name;
}

static const struct option_row rows[] = {
	{HIDE("sampler", OPTION_CHOICE, sampler, "NAME"), .initial = "kakurenbo", .choice = sampler_name,
		.group = "Samples", .help = "how to pick samples"},
	{HIDE("fraction", OPTION_RATIO, fraction, "F"), .max = 0.99, .group = "Samples",
		.help = "largest share of samples that is hidden (default 30%); selective: that has no "
			"backward pass (50%); pruning: that is left out (30%)"},
	{HIDE("fraction-schedule", OPTION_TEXT, fraction_schedule, "STEPS"), .formerly = "schedule",
		.group = "Samples",
		.help = "what F is multiplied with, by epoch: 1@0,0.8@30,0.6@60, or imagenet, cifar100, "
			"cords, "
			"long, fractal; without it imagenet's steps, scaled to --epochs"},
	{HIDE("retention", OPTION_TEXT, retention, "STEPS"), .completes = "file", .group = "Samples",
		.help = "share of the candidates that stays hidden (default 0.6); by epoch 0.5@0,0.6@90; or "
			"a log, FILE.csv, whose column hidden_share has the share of all samples that each "
			"epoch hid"},
	{HIDE("tau", OPTION_RATIO, tau, "T"), .initial = "0.7", .max = 1, .group = "Samples",
		.help = "confidence below which a candidate moves back; how many do is --retention"},
	{HIDE("phi", OPTION_RATIO, phi, "SHARE"), .min = 0.001, .max = 1, .group = "Samples",
		.help = "cost of a hidden sample as a share of a trained one's; without it 1 / (1 + ratio) + "
			"0.1"},
	{HIDE("ratio", OPTION_RATIO, ratio, "R"), .min = 0.01, .max = 100, .group = "Samples",
		.help = "time of a backward over a forward pass; without it, the estimate's"},
	{HIDE("epochs", OPTION_COUNT, epochs, "N"), .min = 1, .max = 1e5, .group = "Samples",
		.help = "epochs of the training (default 90); or those of --fraction-schedule"},
	{HIDE("warm-up", OPTION_COUNT, warm_up, "N"), .initial = "5", .max = 1e5, .group = "Samples",
		.help = "epochs before the learning rate is raised"},
	{HIDE("epoch-samples", OPTION_COUNT, samples, "N"), .formerly = "samples", .min = 1, .max = 1e12,
		.group = "Samples", .help = "samples of an epoch (default the data set's)"},
	{HIDE("measured-epoch", OPTION_QUANTITY, epoch_s, "TIME"), .formerly = "epoch",
		.dimension = DIMENSION_TIME, .min = 1e-6, .group = "Samples",
		.help = "measured time of an epoch with all samples: '31.2 s'; times are scaled to it"},
	{HIDE("per-candidate", OPTION_QUANTITY, candidate_s, "TIME"), .dimension = DIMENSION_TIME,
		.initial = "1 us", .max = 1, .group = "Samples",
		.help = "host time to look at one candidate: a loop in Python; 0 s: none"},
	{HIDE("distributed-selection", OPTION_FLAG, distributed_selection, NULL), .group = "Samples",
		.help = "each worker chooses among its own samples, and a bit of each sample is exchanged; "
			"without it all choose among all, as released programs do"},
	{FLAG("compare", compare, "hide"), .help = "compare the samplers instead of listing epochs"},
};

const struct option_table arguments_hide = {rows, sizeof rows / sizeof rows[0], NULL};
