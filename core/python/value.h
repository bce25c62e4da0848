// SPDX-License-Identifier: GPL-3.0-or-later
// What flows when a program runs or an expression is evaluated. Data is a c10::IValue; what LibTorch has no
// value for (dtypes, slices, functions, modules, mixed containers) is an object beside it.
#pragma once

#include "core/ir/argument.h"

#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

struct Object;

class Value {
public:
    Value() = default;                                   ///< None
    Value(c10::IValue data) : m_data(std::move(data)) {} // NOLINT: data is a value
    Value(const Object& object);                         // NOLINT: an object is a value

    Value& operator=(c10::IValue&& data) {
        m_data = std::move(data);
        if (m_object)
            m_object.reset();
        return *this;
    }

    bool isData() const { return !m_object; }
    bool isNone() const { return !m_object && m_data.isNone(); }
    bool isTensor() const { return !m_object && m_data.isTensor(); }
    const c10::IValue& data() const { return m_data; }
    c10::IValue& data() { return m_data; }
    template <class T>
    const T* as() const;

private:
    c10::IValue m_data;
    std::shared_ptr<const Object> m_object;
};

using Values = std::vector<Value>;
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// A tuple or list whose items need not be data.
struct SequenceObject {
    Values items;
    bool isList = false;
};
/// Keys keep their order.
struct DictObject {
    std::vector<std::pair<Value, Value>> items;
};
struct SliceObject {
    Value start, stop, step;
};
/// torch.Size.
struct SizeObject {
    std::vector<int64_t> sizes;
};
/// "torch.relu", "operator.add", "len".
struct FunctionObject {
    Target target;
};
/// `tensor.mean`, not yet called.
struct MethodObject {
    Value self;
    std::string name;
};
/// "torch", "torch.nn.functional": a place that names hang from.
struct NamespaceObject {
    std::string path;
};
/// A submodule of the model that runs.
struct ModuleObject {
    ModuleId module;
};

struct Object {
    /// The Argument is a leaf that LibTorch has no value for: dtype, layout, memory format, Ellipsis.
    std::variant<Argument, SequenceObject, DictObject, SliceObject, SizeObject, FunctionObject, MethodObject,
                 NamespaceObject, ModuleObject>
        kind;
};

template <class T>
const T* Value::as() const {
    return m_object ? std::get_if<T>(&m_object->kind) : nullptr;
}

/// A tuple or list: as data where all items allow it, else as an object.
Value makeSequence(Values items, bool isList);
Value makeDict(std::vector<std::pair<Value, Value>> items);
/// A constant of a graph as a value; its nodes are looked up with `nodeValue`.
Value makeValue(const Argument& argument, const std::function<Value(NodeId)>& nodeValue);

/// The items of a tuple, list or torch.Size; none for anything else.
std::optional<Values> itemsOf(const Value& value);
/// Python's name of the type: "Tensor", "int", "NoneType".
std::string typeName(const Value& value);
/// Python's truth of a value; throws for a tensor with more or less than one element, as Python does.
bool isTrue(const Value& value);

} // namespace fx
