// SPDX-License-Identifier: GPL-3.0-or-later
// The "def forward(...)" of generated code and its return statement, plain or for nested inputs and outputs.
#pragma once

#include "core/codegen/expression.h"
#include "core/ir/tree_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

/// One line, or several where nested inputs are flattened. `parameters` are those of the placeholders,
/// `returnAnnotation` is empty or " -> T".
std::string definitionCode(const std::optional<Signature>& signature,
                           const std::vector<ParameterText>& parameters, const std::string& returnAnnotation);
std::string returnCode(const std::optional<Signature>& signature, const std::string& expression);

} // namespace fx
