// SPDX-License-Identifier: GPL-3.0-or-later
// What calls of torch do beside computing their result, where no schema of an operator says it: a row for
// each class of torch.nn and for each such function. operator_effects.h has what schemas and tags say.
#pragma once

#include "core/module/model.h"

#include <string_view>

namespace fx {

enum class CallKind {
    Other,
    Dropout,
    BatchNorm,
    InstanceNorm,
    OtherNorm, ///< without statistics of its own
    Attention,
    Embedding,
};

/// Of a call of the module in its mode. Not of its children, and not of hooks.
struct ModuleFacts {
    CallKind kind = CallKind::Other;
    bool drawsRandom = true;  ///< may take random numbers
    bool keepsState = true;   ///< may write into its buffers; with max_norm, into its weight
    bool sharesMemory = true; ///< its result may be its input, or a view of it
};

/// Of a class that is none of torch.nn, or that PyTorch 2.13 does not have, all is true, and its kind is
/// Other or, by its name, OtherNorm.
ModuleFacts factsOf(const Module& module);

struct FunctionFacts {
    enum class Draws {
        Never,      ///< but for what the tags of its operator say
        InTraining, ///< unless an argument `training` is False
        ByRate,     ///< if dropout_p is given, and not 0
        Always
    };
    std::string_view name; ///< "dropout" of any spelling; "*dropout": of all whose names contain it
    CallKind kind = CallKind::Other;
    Draws draws = Draws::Never;
    bool sharesMemory =
        false; ///< may return its input or a view of it, although its schema has no alias annotation
    bool writesInputs = false; ///< although its schema does not say so
};

/// `name`: without what stands before it. None of these is true of a function without a row.
const FunctionFacts& factsOfFunction(std::string_view name);

} // namespace fx
