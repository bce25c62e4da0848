// SPDX-License-Identifier: GPL-3.0-or-later
// Which modules a file of torch.save holds: its value may be one, or a checkpoint with some among its
// entries.
#pragma once

#include "core/io/pickle/pickled_module.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// Returns the value at a path of dicts, lists and tuples ("model", "nets.0"); null where there is none.
const PickleValue* pickledValueAt(const PickleValue& value, std::string_view path);

/// Returns the module at the path. Of the empty path: the value of the file, or the one module in it. None
/// where there is no module. Throws an Error that names the paths where there are several, or nothing is at
/// the path.
std::optional<PickledModel> pickledModelIn(std::shared_ptr<const TorchContainer> container,
                                           const std::string& path = {});

/// Returns what to say of modules in a value that is opened as something else; empty where there are none.
std::string noteOfModules(const PickleValue& value, const std::string& place);

/// "a dict of 'model' (a torch.nn.modules.container.Sequential), 'epoch' (3)": the value for people.
std::string pickledContentText(const PickleValue& value);

} // namespace fx
