// SPDX-License-Identifier: GPL-3.0-or-later
// A value as a pane shows it: in numbers, as a table, as a picture, and held against another one. Which
// value, and what the names of its expressions are, says who asks: a run (session_values.h), or nobody but
// the model.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"
#include "core/python/value.h"

#include <functional>

namespace fx {

/// Evaluates an expression in which `value` is the given one; `place` names it in errors.
using EvaluateOver =
    std::function<Value(const std::string& expression, const Value& value, const std::string& place)>;

/// Fills in what there is to see of the value. What is wrong with the view becomes the inspection's fault.
/// `isGivenUp`: asked between pieces of large tensors; then figures and pictures are left out.
void lookAt(const Value& value, const ValueView& view, const Model& model, const EvaluateOver& evaluate,
            Inspection& out, const std::function<bool()>& isGivenUp = {});
/// In the usual axes; none of what is no tensor with data.
std::optional<TensorPicture> thumbnailOf(const Value& value);
/// A tensor of the model, without a run.
Inspection inspectTensor(const Model& model, const Inspect& request);

} // namespace fx
