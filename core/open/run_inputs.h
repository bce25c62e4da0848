// SPDX-License-Identifier: GPL-3.0-or-later
// The values that a run begins with, from what a user wrote: an expression, a file, or nothing at all.
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/io/opened_model.h"
#include "core/python/value.h"

#include <c10/core/Device.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct InputSpecs {
    /// By placeholder: an expression such as "randn(1, 3, 224, 224)", "@file.npy", or "example" for the value
    /// that was saved with the model. An input without a spec takes its example, else one generated from its
    /// shape. Of `*args` it is a list, of `**kwargs` a dict.
    std::map<std::string, std::string> byName;
    /// A file with values for all inputs: .pt (a tensor, a list or tuple in order, a dict by name), .npz,
    /// .safetensors. `*args` takes the rest of what is in order, `**kwargs` the names that are no input's.
    /// Empty: none.
    std::string file;
    /// Where the values go; those that are generated for meta are made there. None: they stay where they are.
    std::optional<c10::Device> device = std::nullopt;
    /// What the file would hold, made elsewhere; `file` then names where.
    std::optional<Value> content = std::nullopt;
};

/// The value that a file holds: .npy, .pt; .npz and .safetensors, of several in it that of the name.
Value readValueFile(const std::string& path, const std::string& name);
/// An expression that makes a value of the recorded shape; symbolic sizes take the number they had at
/// capture. None where no shape was recorded.
std::optional<std::string> generatedSpec(const ModelInput& input);
/// Whether each input has a spec, an example, a recorded shape or a default. Files are taken to hold theirs.
bool hasInputs(const OpenedModel& model, const InputSpecs& specs);
/// What the model is called with. An input that keeps its default is left out, and those after it go by name.
/// Throws an Error at the input that is at fault.
GraphInputs makeInputs(const OpenedModel& model, const InputSpecs& specs);
/// Throws where the value has another shape than the model was captured for.
void requireFitting(const ModelInput& input, const Value& value,
                    const std::map<std::string, SymbolRange>& symbols);

} // namespace fx
