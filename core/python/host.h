// SPDX-License-Identifier: GPL-3.0-or-later
// What the evaluator asks about values that are not Python's own: tensors, torch's functions, proxies. Each
// kind of them has a host, and hosts.h has the table of them, names.h what a program may import.
#pragma once

#include "core/ir/python_operators.h"
#include "core/python/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The kinds of values that are hosts'.
enum class HostedKind : uint8_t {
    Data,      ///< what LibTorch has values for and Python has not: tensors, devices, generators, storages
    Constant,  ///< dtypes, layouts, memory formats, qschemes
    Function,  ///< torch.relu
    Method,    ///< tensor.mean, not yet called
    Namespace, ///< torch.nn
    Submodule, ///< of a model that runs
    Proxy,     ///< a node of a graph that is traced
};
constexpr size_t kHostedKinds = 7;

/// What values of some kinds mean. What a host does not override fails, or answers, as Python's plain objects
/// do.
class ValueHost {
public:
    virtual ~ValueHost() = default;

    virtual std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name);
    /// What dir() gives of the object; none: the names of its class and its fields.
    virtual std::optional<std::vector<std::string>> names(Evaluator&, const Value& object);
    virtual void setAttribute(Evaluator&, const Value& object, const std::string& name, const Value& value);
    virtual Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs);
    /// The object is the host's, or the index is.
    virtual Value subscript(Evaluator&, const Value& object, const Value& index);
    /// The object is the host's, or that of a lower host where the index or the value holds one of this
    /// host's.
    virtual void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value);
    /// One or two operands, at least one of which is the host's. `isInPlace`: `a += b`.
    virtual Value operate(Evaluator&, Operator op, Values operands, bool isInPlace);
    virtual bool isTrue(Evaluator&, const Value& value);
    virtual Value iterator(Evaluator&, const Value& value);
    virtual int64_t length(Evaluator&, const Value& value);
    /// operator.index(value).
    virtual int64_t index(Evaluator&, const Value& value);
    /// So many items of the value, for `a, b = value`; the count is checked by who asks.
    virtual Values unpack(Evaluator&, const Value& value, size_t count);
    /// repr() and str(), and format() with a spec.
    virtual std::string text(Evaluator&, const Value& value, bool isRepr);
    virtual std::string format(Evaluator&, const Value& value, const std::string& spec);
    /// type(value): a class by its builtin's name ("Tensor"), see Evaluator::type.
    virtual std::string typeName(const Value& value) const;
    /// The program is about to call a native function, or what another host has, such as len(proxy) or
    /// torch.relu(proxy): this host's answer, or none to go on. Asked of those that Hosts::addInterceptor
    /// names.
    virtual std::optional<Value> interceptCall(Evaluator&, const Value& function, Values& args,
                                               NamedValues& kwargs);
};

} // namespace fx
