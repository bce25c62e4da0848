// SPDX-License-Identifier: GPL-3.0-or-later
// A call of an operator as a function in Python that does its work is called, and what that function gives as
// the operator's results.
#pragma once

#include "core/python/value.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

namespace fx {

struct PythonCall {
    Values args;
    NamedValues kwargs;
};
/// As operatorArguments() has them (operator_arguments.h), with the tensors themselves.
PythonCall pythonCall(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> given);
/// Throws TypeError where the schema cannot have such results.
void pushResults(const c10::FunctionSchema& schema, const Value& result, torch::jit::Stack& stack);
/// The function does the operator's work: takes its arguments off the stack, and leaves its results there.
void callInstead(Evaluator& evaluator, const Value& function, const c10::FunctionSchema& schema,
                 torch::jit::Stack& stack);

} // namespace fx
