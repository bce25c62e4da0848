// SPDX-License-Identifier: GPL-3.0-or-later
// What the evaluator asks of whoever knows the values that are not Python's own: tensors, torch's functions,
// proxies. core/torch has the host for live values, core/trace the one that records a graph.
#pragma once

#include "core/python/value.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

enum class Operator : uint8_t;
struct SourceFile;
struct CallSite;
struct LibraryModule;

class Host {
public:
    virtual ~Host() = default;

    /// A name that is neither in the module nor a builtin; none: NameError.
    virtual std::optional<Value> name(Evaluator&, const std::string&) { return std::nullopt; }
    /// "torch.nn": a module that the host has itself.
    virtual std::optional<Value> importModule(Evaluator&, const std::string&) { return std::nullopt; }
    /// A module that the host has as Python text; null where it has none.
    virtual const LibraryModule* libraryModule(const std::string&) { return nullptr; }

    /// Whether operators, attributes, calls, iteration and truth of the value are the host's.
    virtual bool owns(const Value&) const { return false; }
    virtual std::optional<Value> attribute(Evaluator&, const Value& object, const std::string& name) = 0;
    /// What dir() gives of the object; none: the names of its class and its fields.
    virtual std::optional<std::vector<std::string>> names(Evaluator&, const Value& object) {
        (void)object;
        return std::nullopt;
    }
    virtual void setAttribute(Evaluator&, const Value& object, const std::string& name,
                              const Value& value) = 0;
    virtual Value call(Evaluator&, const Value& function, Values args, NamedValues kwargs) = 0;
    virtual Value subscript(Evaluator&, const Value& object, const Value& index) = 0;
    virtual void setSubscript(Evaluator&, const Value& object, const Value& index, const Value& value) = 0;
    /// One or two operands, at least one of which the host owns. `isInPlace`: `a += b`.
    virtual Value operate(Evaluator&, Operator op, Values operands, bool isInPlace) = 0;
    virtual bool isTrue(Evaluator&, const Value& value) = 0;
    virtual Value iterator(Evaluator&, const Value& value) = 0;
    virtual int64_t length(Evaluator&, const Value& value) = 0;
    /// operator.index(value).
    virtual int64_t index(Evaluator&, const Value& value) = 0;
    /// So many items of the value, for `a, b = value`; the count is checked by who asks.
    virtual Values unpack(Evaluator&, const Value& value, size_t count) = 0;
    /// repr() and str(), and format() with a spec.
    virtual std::string text(Evaluator&, const Value& value, bool isRepr) = 0;
    virtual std::string format(Evaluator&, const Value& value, const std::string& spec) = 0;
    /// type(value) for what the host owns: a class by its builtin's name ("Tensor"), see Evaluator::type.
    virtual std::string typeName(const Value& value) const = 0;
    /// A module that has just been run.
    virtual void moduleLoaded(Evaluator&, const std::string& name, const Value& module) {
        (void)name, (void)module;
    }
    /// What torch.nn.Module's own __getattr__ finds; none: nothing.
    virtual std::optional<Value> moduleMember(Evaluator&, const Value& module, const TextKey& name) {
        (void)module, (void)name;
        return std::nullopt;
    }
    /// A native function is about to be called by the program with a value that the host owns among its
    /// arguments, such as len(proxy) or math.sqrt(proxy): the host's answer, or none to go on.
    virtual std::optional<Value> interceptNative(Evaluator&, const NativeObject&, Values&, NamedValues&) {
        return std::nullopt;
    }
};

} // namespace fx
