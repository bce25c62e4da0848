// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold the weights of a model and nothing else: what `--state` takes, and what opens as a tree of
// modules without a graph. torch.save files of both forms, checkpoints that nest a state_dict, safetensors.
#pragma once

#include "core/io/opened_model.h"
#include "core/io/pickle/pickled_module.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_container.h"
#include "core/trace/load_state.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct StateDict {
    std::string path;
    std::string format; ///< for people: "torch.save state_dict (zip form)"
    /// In the order of the file. Tied weights are one slot.
    NamedTensors tensors;
    /// Entries that are no tensors, such as a module's extra state.
    std::vector<NamedValue> others;
    /// Those of them that are tuples of tensors and None: the weight and bias of a quantized layer.
    std::vector<std::pair<std::string, std::vector<std::optional<TensorSlot>>>> groups;
    /// Every module that the writer had, also those without weights; empty where the file does not say.
    std::vector<std::string> modules;
    /// "module." of DistributedDataParallel or "_orig_mod." of torch.compile, where every name begins with
    /// it.
    std::string wrapperPrefix;
    std::vector<std::string> notes;
    bool isEntry = false; ///< of a checkpoint, one level down

    /// The tensors, for a model to load.
    GivenState given() const;
};

/// Reads what `--state FILE` names; of a pickled module its weights. Throws an Error for a file that holds no
/// state_dict.
StateDict readStateDict(const std::string& path);
/// The state_dict that the file holds, itself or one level down ("state_dict", "model", ...); none if there
/// is none. A dict of anything but tensors is no state_dict.
std::optional<StateDict> stateDictIn(const TorchContainer& container);
/// The same of one value of the file.
std::optional<StateDict> stateDictIn(const TorchContainer& container, const PickleValue& value);
/// The names of a .safetensors file are those of a state_dict.
StateDict stateDictOfSafetensors(const std::string& path);

/// The state_dict that a pickled module would give.
StateDict stateOfModule(const PickledModel& pickled);

/// The modules that the names speak of, with their tensors; no graph, and the reason why.
OpenedModel modelOfState(const StateDict& state);

} // namespace fx
