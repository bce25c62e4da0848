// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the user's that say what a backend supports.
#pragma once

#include "core/passes/split/operator_support.h"

#include <string>
#include <string_view>

namespace fx {

/// A table as JSON, by what is called (SupportTable::add):
///   {"torch.relu": null,
///    "torch.nn.modules.linear.Linear": ["float32", "bfloat16"],
///    "_operator.mul": {"args": [["float32"], null], "kwargs": {"out": ["float32"]}}}
/// null: any dtype; a list: the dtypes of every tensor that is given; else those of some arguments.
SupportTable supportTableFrom(std::string_view json, const std::string& place);
/// The same, a line each, as YAML: "torch.relu:", "torch.add: [float32, bfloat16]", "# remark".
SupportTable supportTableFromYaml(std::string_view text, const std::string& place);

/// Which calls of the graph a file refuses: OPS.json, OPS.yaml, or FILE.py:NAME
/// (core/userpasses/user_support.h).
Refusals refusalsByFile(const std::string& path, const Model& model, ModuleId module);

} // namespace fx
