/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ARCHITECTURE_H
#define MODEL_ARCHITECTURE_H

#include "model/description.h"

/*
 * Returns the dimensions of an expanded transformer that training programs ask for; all 0 for other networks.
 * `beyond` names the first feature that they do not cover; where there is none, `parameters` follows from them.
 */
struct paradl_dimensions model_dimensions(const struct paradl_model *model, const struct item_list *layers);

#endif
