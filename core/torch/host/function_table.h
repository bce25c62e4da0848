// SPDX-License-Identifier: GPL-3.0-or-later
// What torch's public names are, and what a call of each records when a Proxy is among its arguments.
// The rows are core/torch/tables/*.txt, which make_tables.py writes from PyTorch itself; they are read at
// first use.
#pragma once

#include "core/ir/argument.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

enum class FunctionKind {
    Builtin, ///< written in C: records its arguments as written; of a Tensor, a method
    Native,  ///< written in C, makes tensors, and is never recorded
    Python,  ///< with a Proxy in a checked parameter it records `records`, else its body runs
    Switch,  ///< calls one of two functions by a flag
    Body,    ///< its body always runs
    Class,
    Module,
    Value,
    Wrapped,  ///< a function outside torch that the tracer wraps by itself
    Property, ///< of a Tensor
};

enum class ParameterKind { PositionalOnly, Positional, VarPositional, KeywordOnly, VarKeyword };

struct Parameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::Positional;
    std::optional<Argument> defaultValue; ///< an OpaqueValue for what an Argument cannot be
};

/// A parameter whose value decides whether the call is recorded.
struct CheckedParameter {
    size_t parameter = 0;
    bool items = false; ///< each item of the value is looked at instead of the value itself
};

/// One argument of the recorded call.
struct RecordedArgument {
    std::string_view key;            ///< empty: positional
    std::optional<size_t> parameter; ///< none: `constant`
    bool spread = false;             ///< each item of the parameter's value is an argument
    Argument constant;
};

struct FunctionSwitch {
    std::string_view flag; ///< the argument that decides, by name or else by position
    size_t position = 0;
    bool byDefault = false;
    std::string_view ifTrue, ifFalse; ///< public names of rows
};

struct FunctionRow {
    FunctionKind kind = FunctionKind::Native;
    std::string_view publicName;
    Target target; ///< of the recorded node; without dots it is a method. Of a class or module: its qualified
                   ///< name
    std::vector<Parameter> parameters; ///< of Python and Body rows
    std::vector<CheckedParameter> checks;
    std::vector<RecordedArgument> records;
    std::optional<FunctionSwitch> choice; ///< of Switch rows
    /// Of a function that takes its sizes as one tuple or as many ints: what Python says when the first of
    /// many is a Proxy, with "{}" for the types of the arguments and "{count}" for their number.
    std::string sizesMessage;
    std::string_view valueType; ///< of Value rows: "dtype", "float", "layout"
    Argument value;             ///< an OpaqueValue for what an Argument cannot be
};

/// Null for a name that torch does not have. A second name of a function finds the row of the first;
/// torch._VF has the functions of torch that are written in C.
const FunctionRow* findFunction(std::string_view publicName);
/// Whether a call of the target is what one of torch's functions does or leaves in a graph:
/// "torch._C._nn.gelu".
bool isFunctionOfTorch(Target target);
/// By the name below torch.Tensor: "view", "shape". Null for a name that a Tensor does not have.
const FunctionRow* findTensorMember(std::string_view name);

/// Sorted; names that are another's second name are left out.
std::vector<std::string_view> namesOfTensor();

/// The value that Python's text of a constant stands for: numbers, strings, None, tuples, dtypes; OpaqueValue
/// for others.
Argument constantFromText(std::string_view text);

/// What dir() gives of one of torch's modules, sorted; null for a module that the table has not.
const std::vector<std::string_view>* namesOfModule(std::string_view module);

} // namespace fx
