// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors without data whose sizes may be symbolic numbers (symbolic_number.h), and such numbers as values of
// a program.
#pragma once

#include "core/ir/meta.h"
#include "core/python/evaluator.h"
#include "core/torch/values/symbolic_number.h"

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace fx {

/// A SymInt, SymFloat or SymBool of ours; null for any other value.
SymbolicNumber* symbolicNumber(const Value& value);
/// The other way; an int that depends on nothing any more is an int.
Value symbolicValue(const c10::SymNode& node);

bool hasSymbolicSizes(const at::Tensor& tensor);
/// tensor.shape: a torch.Size.
Value shapeValue(const at::Tensor& tensor);
/// As describe() has it, with formulas.
TensorMeta describeSymbolic(const at::Tensor& tensor);

/// On the device meta; sizes of the description that are formulas are numbers of the environment, where it
/// knows their symbols, and else what they were.
at::Tensor withoutData(const TensorMeta& meta, SymbolEnvironment& environment);
/// It says that it is on that device, and whoever reads its data gets an error.
at::Tensor fakeTensor(c10::SymIntArrayRef sizes, c10::SymIntArrayRef strides, const c10::SymInt& offset,
                      c10::ScalarType dtype, c10::Device device);
/// The strides of a tensor whose sizes are now these: products of them, where they are.
std::vector<c10::SymInt> symbolicStrides(const at::Tensor& tensor, const std::vector<c10::SymInt>& sizes);
/// Whether it was made by fakeTensor().
bool isFake(const at::Tensor& tensor);
/// "FakeTensor(..., size=(s77, 4))"
std::string fakeText(const at::Tensor& tensor);

/// A number where an operator takes a tensor, and the number that such a tensor stands for; null for others.
at::Tensor wrappedNumber(const c10::SymNode& number);
c10::SymNode numberOfWrapped(const at::Tensor& tensor);

// --- What a program does with such numbers.
std::optional<Value> attributeOfNumber(Evaluator& evaluator, const Value& number, const std::string& name);
/// Null operands are not numbers: Python's answer then is None.
std::optional<Value> operateOnNumbers(Operator op, const Values& operands);
/// What the text of torch.fx.experimental.sym_node calls, and the methods of the classes.
void addSymbolicClasses(Evaluator& evaluator);

} // namespace fx
