/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked about, by name: a model or profile that is added later is not in here, for it would change what every seed
 * stands for. One that is taken out of the distribution has to be taken out here, too, and the hashes written again.
 */
#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

const char *const image_models[] = {"alexnet", "cosmoflow-256", "cosmoflow-512", "deepcam", "densenet121",
	"efficientnet-b0", "googlenet", "mobilenet-v2", "resnet101", "resnet152-chainer", "resnet152",
	"resnet50-chainer", "resnet50", "tiny-cnn", "unet-3d", "vgg16-chainer", "vgg16", "vgg19", "wrn-16-8"};

/* Vision transformers are of tokens, too: the engine cuts them so. */
const char *const token_models[] = {"bert-large", "deepseek-v3", "gpt2-xl", "gpt3-175b", "llama2-70b",
	"llama2-7b", "llama3-405b", "llama3-70b", "llama3-8b", "megatron-1.7b", "megatron-1t", "megatron-22b",
	"megatron-530b", "mixtral-8x7b", "qwen3-30b-a3b", "vit-b16", "vit-huge"};

/* Searches take a moment on these, not more. */
const char *const small_models[] = {"alexnet", "bert-large", "gpt2-xl", "mixtral-8x7b", "llama2-7b",
	"resnet50", "tiny-cnn", "vgg16", "cosmoflow-256", "vit-b16"};

const char *const machine_names[] = {"a100-8", "abci-2", "abci-routed", "abci-simulated", "abci", "alps",
	"aws-p4d", "aws-p5", "cloud-object", "dgx-a100-superpod", "dgx-h100-superpod", "dgx1-simulated",
	"dragonfly-fpga-272", "frontier", "fugaku", "gb200-nvl72", "juwels-booster", "kautz-fpga-272",
	"laptop", "nvcluster-16-simulated", "nvcluster-2-simulated", "nvcluster-4-simulated",
	"nvcluster-8-simulated", "perlmutter", "summit", "tpu-v4", "tsubame3-simulated", "tsubame3"};

/* Those with cables and routes. */
const char *const routed_machines[] = {"abci-2", "abci-routed", "abci-simulated", "alps", "aws-p4d", "aws-p5",
	"dgx-a100-superpod", "dgx-h100-superpod", "dgx1-simulated", "dragonfly-fpga-272", "frontier",
	"gb200-nvl72", "kautz-fpga-272", "nvcluster-16-simulated", "nvcluster-2-simulated",
	"nvcluster-4-simulated", "nvcluster-8-simulated", "tpu-v4", "tsubame3-simulated", "tsubame3"};

const char *const framework_names[] = {"chainermn-2021", "chainermn-nccl-2020", "chainermn", "deepspeed",
	"internevo", "llm-foundry", "maxtext", "megatron-2021", "megatron-core",
	"megatron-deepspeed+blocking", "megatron-deepspeed", "mlperf-resnet", "mpi-step", "mxnet-ngc", "nccl",
	"nemo-2023", "nemo-2024", "nemo-bridge+graphs", "nemo-bridge+tokendrop", "nemo-bridge", "paddle-ngc",
	"pytorch-ngc", "tensorflow-ngc", "torchtitan+compile", "torchtitan"};

const unsigned image_model_count = COUNT(image_models);
const unsigned token_model_count = COUNT(token_models);
const unsigned small_model_count = COUNT(small_models);
const unsigned machine_count = COUNT(machine_names);
const unsigned routed_count = COUNT(routed_machines);
const unsigned framework_count = COUNT(framework_names);

/* Returns the place of a name in a list. */
static unsigned place(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; ++i)
		if (strcmp(names[i], name) == 0)
			return i;
	give_up("%s is in no list", name);
}

const struct paradl_model *inputs_model(struct inputs *inputs, const char *name)
{
	bool images = false;
	for (unsigned i = 0; i < image_model_count; ++i)
		images = images || strcmp(image_models[i], name) == 0;
	const unsigned at = images ? place(image_models, image_model_count, name)
				   : image_model_count + place(token_models, token_model_count, name);
	struct paradl_error error = {0};
	char path[128];
	snprintf(path, sizeof path, "models/%s.json", name);
	if (!inputs->models[at])
		inputs->models[at] =
			paradl_model_load(inputs->arena, &(struct paradl_source){.path = path}, &error);
	if (!inputs->models[at])
		give_up("%s: %s", path, error.message);
	return inputs->models[at];
}

const struct paradl_machine *inputs_machine(struct inputs *inputs, const char *name)
{
	const unsigned at = place(machine_names, machine_count, name);
	struct paradl_error error = {0};
	char path[128];
	snprintf(path, sizeof path, "hw-profiles/%s.json", name);
	if (!inputs->machines[at])
		inputs->machines[at] =
			paradl_machine_load(inputs->arena, &(struct paradl_source){.path = path}, &error);
	if (!inputs->machines[at])
		give_up("%s: %s", path, error.message);
	return inputs->machines[at];
}

const struct paradl_framework *inputs_framework(struct inputs *inputs, const char *name)
{
	const unsigned at = place(framework_names, framework_count, name);
	struct paradl_error error = {0};
	char path[128];
	const int plain = (int)strcspn(name, "+");
	snprintf(path, sizeof path, "hw-profiles/frameworks/%.*s.json%s", plain, name, name + plain);
	if (!inputs->frameworks[at])
		inputs->frameworks[at] =
			paradl_framework_load(inputs->arena, &(struct paradl_source){.path = path}, &error);
	if (!inputs->frameworks[at])
		give_up("%s: %s", path, error.message);
	return inputs->frameworks[at];
}
