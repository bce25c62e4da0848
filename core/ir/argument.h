// SPDX-License-Identifier: GPL-3.0-or-later
// What a node is called with: a tree of plain values whose leaves may be other nodes.
// How it is written is in argument_text.h; what it is when a program runs is in core/interpret.
#pragma once

#include "core/base/box.h"
#include "core/base/ids.h"
#include "core/ir/target.h"

#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

class Argument;
using Arguments = std::vector<Argument>;
using Keywords = std::vector<std::pair<std::string, Argument>>;

struct NoneValue {
    bool operator==(const NoneValue&) const = default;
};
struct EllipsisValue {
    bool operator==(const EllipsisValue&) const = default;
};
struct ListValue {
    Arguments items;
    bool operator==(const ListValue&) const;
};
struct TupleValue {
    Arguments items;
    bool operator==(const TupleValue&) const;
};
/// An instance of a named tuple class; prints as a call of that class in generated code.
struct NamedTupleValue {
    Target type;
    Arguments items;
    bool operator==(const NamedTupleValue&) const;
};
struct DictValue {
    std::vector<std::pair<Argument, Argument>> items; ///< in insertion order
    bool operator==(const DictValue&) const;
};
struct SliceValue {
    Arguments parts; ///< start, stop, step
    bool operator==(const SliceValue&) const;
};
struct RangeValue {
    int64_t start, stop, step;
    bool operator==(const RangeValue&) const = default;
};
/// A function or operator passed as a value.
struct FunctionValue {
    Target target;
    bool operator==(const FunctionValue&) const = default;
};
/// A member of an enum class.
struct EnumValue {
    Target type; ///< qualified name of the class
    std::string member;
    std::string text = {}; ///< what str() gives, where it is not "Type.member": "2" of an IntEnum
    std::string repr = {}; ///< what repr() gives, where it is not "Type.member": "<Mode.A: 1>"
    bool operator==(const EnumValue&) const = default;
};
/// Something of the file that has no value here, such as an instance of a custom class: shown, never run. Or
/// a tensor that a program has put into its graph: that is an attribute of the module with the graph.
struct OpaqueValue {
    std::string text;           ///< how it is printed
    std::string attribute = {}; ///< the name of the tensor in its module; empty: it is none
    std::string written =
        {}; ///< of a tensor what code has in its place: "torch.Tensor(size=[2], dtype=float32)"
    bool operator==(const OpaqueValue&) const = default;
};

/// Most arguments are nodes and small numbers, so it takes 16 bytes: what is larger lies behind a pointer.
class Argument {
    template <class T>
    static constexpr bool kIsBoxed = sizeof(T) > 8;
    template <class T>
    using Held = std::conditional_t<kIsBoxed<T>, Box<T>, T>;
    template <class... Ts>
    struct KindList {
        using Variant = std::variant<Held<Ts>...>;
        template <class T>
        static constexpr bool contains = (std::is_same_v<T, Ts> || ...);
    };
    using Kinds =
        KindList<NoneValue, bool, int64_t, double, std::complex<double>, std::string, c10::ScalarType,
                 c10::Device, c10::Layout, c10::MemoryFormat, EllipsisValue, NodeId, ListValue, TupleValue,
                 DictValue, SliceValue, NamedTupleValue, RangeValue, FunctionValue, EnumValue, OpaqueValue>;

public:
    Argument() = default;
    template <class T>
    requires(Kinds::contains<std::remove_cvref_t<T>>) Argument(T&& value) // NOLINT: a value is an argument
        : m_value(Held<std::remove_cvref_t<T>>(std::forward<T>(value))) {}
    Argument(int value) : m_value(int64_t(value)) {}
    Argument(const char* value) : Argument(std::string(value)) {}

    template <class T>
    const T* as() const {
        const auto* held = std::get_if<Held<T>>(&m_value);
        if constexpr (kIsBoxed<T>)
            return held ? held->get() : nullptr;
        else
            return held;
    }
    /// Calls `visitor` with the value itself, as std::visit does.
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(
            [&]<class T>(const T& held) -> decltype(auto) {
                if constexpr (requires { held.get(); })
                    return visitor(*held);
                else
                    return visitor(held);
            },
            m_value);
    }
    bool isNone() const { return as<NoneValue>() != nullptr; }
    /// The node it is, or no node.
    NodeId node() const { return as<NodeId>() ? *as<NodeId>() : NodeId(); }
    /// Items of a list, tuple or named tuple; null for anything else.
    const Arguments* items() const;

    bool operator==(const Argument&) const = default;

private:
    Kinds::Variant m_value;
};

/// Calls `visit` for a value and all that is in it.
void forEachPart(const Argument& argument, const std::function<void(const Argument&)>& visit);
/// Calls `visit` for each node in reading order, as often as it occurs.
void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit);
/// Whether it reads any.
bool hasNodes(const Argument& argument);
/// Returns the value under a text key of a dict; null if there is none, or the argument is no dict.
const Argument* dictEntry(const Argument& argument, std::string_view key);
void forEachNode(const Arguments& args, const Keywords& kwargs, const std::function<void(NodeId)>& visit);

/// The same tree with each node replaced by what `map` gives for it (torch.fx's map_arg).
Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map);
Arguments mapNodes(const Arguments& args, const std::function<Argument(NodeId)>& map);
Keywords mapNodes(const Keywords& kwargs, const std::function<Argument(NodeId)>& map);

} // namespace fx
