// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that trust their arguments: a graph could read and write outside of its tensors by them. The
// table operator_bounds.txt names every operator that PyTorch registers and what keeps it within its tensors:
// LibTorch's own checks, or one of the walls below.
//
//     a node, a line of a program      -> TorchOperator::call -> callWithinBounds: refused, views, fresh
//     memory any operator, TorchScript, a gradient -> the dispatcher -> installKernelChecks: rules between
//     the arguments
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

using StackCall = std::function<void(torch::jit::Stack&)>;

/// `call` with what the table has for calls of the operator around it; `call` itself where it has nothing.
StackCall callWithinBounds(const c10::FunctionSchema& schema, StackCall call);
/// Why compiled code may not call the operator ("aten::_reshape_alias"), as nothing is checked there but what
/// the dispatcher checks; empty where it may.
std::string boundsRefusal(const std::string& qualifiedName);
/// Throws for `function`, which would give the address of a tensor's memory.
[[noreturn]] void refuseAddressOf(const std::string& function);
/// Puts the rules of the table before the kernels of LibTorch, and lets it check sparse tensors whenever they
/// are made. Once in a process; the library does it when it is loaded.
void installKernelChecks();

/// Sets the memory to zero that `change` adds to the storages of `holders`, tensors and storages: set_ would
/// show what was freed.
void withZeroedGrowth(const std::vector<c10::IValue>& holders, const std::function<void()>& change);

/// Rules of the table that no overload of their operator has the arguments for: mistakes in the table.
std::vector<std::string> unboundBoundsRules();

} // namespace fx
