// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about a node beside its call: the recorded value's shape, where it came from in the source.
// Passes read and write it by key; the graph's meaning does not depend on it.
#pragma once

#include "core/ir/argument.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fx {

/// A size that depends on the inputs: its formula ("2*s77") and the number it had while exporting.
struct SymbolicInt {
    std::string formula;
    std::optional<int64_t> hint;
    bool operator==(const SymbolicInt&) const = default;
};
using Dimension = std::variant<int64_t, SymbolicInt>;

std::string dimensionText(const Dimension& dimension);
/// "[1, s0, 56]".
std::string shapeText(const std::vector<Dimension>& shape);

struct TensorMeta {
    c10::ScalarType dtype = c10::ScalarType::Undefined;
    std::vector<Dimension> shape;
    std::vector<Dimension> stride;
    c10::Device device = c10::Device(c10::kCPU);
    c10::Layout layout = c10::Layout::Strided;
    bool requiresGrad = false;
    bool operator==(const TensorMeta&) const = default;
};

/// A number that depends on the inputs.
struct SymbolicScalar {
    enum class Kind { Int, Float, Bool };
    Kind kind = Kind::Int;
    std::string formula;
    std::optional<double> hint;
    bool operator==(const SymbolicScalar&) const = default;
};

/// The description of a value, nested as the value is.
struct ValueMeta {
    std::variant<NoneValue, TensorMeta, SymbolicScalar, Argument, std::vector<ValueMeta>> value;
    bool operator==(const ValueMeta&) const = default;
};

/// "f32[1, 64, 56, 56]", "s0", "(f32[2], i64[2])": short, for people.
std::string valueMetaText(const ValueMeta& meta);

/// One level of the module hierarchy at a call (torch's nn_module_stack), outermost first.
struct ModuleFrame {
    std::string key;  ///< unique for the call
    std::string path; ///< "layer1.0", empty for the root
    std::string type; ///< qualified class name
    bool operator==(const ModuleFrame&) const = default;
};

/// The hierarchy at a call. Copies share their frames: each node has a stack, and most of it is its
/// neighbours'.
class ModuleStack {
public:
    ModuleStack() = default;
    ModuleStack(std::initializer_list<ModuleFrame> frames) {
        for (const ModuleFrame& frame : frames)
            push_back(frame);
    }
    void push_back(ModuleFrame frame) {
        m_frames.push_back(std::make_shared<const ModuleFrame>(std::move(frame)));
    }
    void pop_back() { m_frames.pop_back(); }
    size_t size() const { return m_frames.size(); }
    bool empty() const { return m_frames.empty(); }
    const ModuleFrame& operator[](size_t level) const { return *m_frames[level]; }
    const ModuleFrame& back() const { return *m_frames.back(); }

    class Iterator {
    public:
        Iterator(const ModuleStack& stack, size_t level) : m_stack(stack), m_level(level) {}
        const ModuleFrame& operator*() const { return m_stack[m_level]; }
        Iterator& operator++() {
            ++m_level;
            return *this;
        }
        bool operator==(const Iterator& other) const { return m_level == other.m_level; }

    private:
        const ModuleStack& m_stack;
        size_t m_level;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }
    bool operator==(const ModuleStack& other) const;

private:
    std::vector<std::shared_ptr<const ModuleFrame>> m_frames;
};

using MetaValue = std::variant<bool, std::string, ValueMeta, TensorMeta, ModuleStack, Argument>;

/// A value of a node's metadata, or none. It is never changed: copies of it, in the history and on other
/// nodes, are one.
class SharedMeta {
public:
    SharedMeta() = default;
    template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, SharedMeta> && std::constructible_from<MetaValue, T>)
        SharedMeta(T&& value) // NOLINT: a value is one wherever it is asked for
        : m_value(std::make_shared<const MetaValue>(std::forward<T>(value))) {}

    explicit operator bool() const { return m_value != nullptr; }
    operator const MetaValue&() const { return *m_value; } // NOLINT
    const MetaValue* get() const { return m_value.get(); }
    bool operator==(const SharedMeta& other) const {
        return m_value == other.m_value || (m_value && other.m_value && *m_value == *other.m_value);
    }

private:
    std::shared_ptr<const MetaValue> m_value;
};

/// An ordered map with few keys. The keys are torch.fx's.
class Meta {
public:
    const MetaValue* find(std::string_view key) const { return shared(key).get(); }
    SharedMeta shared(std::string_view key) const;
    template <class T>
    const T* find(std::string_view key) const {
        const MetaValue* value = find(key);
        return value ? std::get_if<T>(value) : nullptr;
    }
    /// Sets or, without a value, removes.
    void set(std::string_view key, SharedMeta value);

    const std::vector<std::pair<std::string, SharedMeta>>& entries() const { return m_entries; }
    bool operator==(const Meta&) const = default;

private:
    std::vector<std::pair<std::string, SharedMeta>> m_entries;
};

namespace meta {
inline constexpr std::string_view kValue = "val";              ///< ValueMeta, recorded at capture
inline constexpr std::string_view kTensorMeta = "tensor_meta"; ///< ValueMeta, from ShapeProp
inline constexpr std::string_view kLogNote = "log_note"; ///< string: the note of the file about the node
inline constexpr std::string_view kLogStage =
    "log_stage"; ///< string, of a graph in a compiler's log: "aot_joint_graph"
inline constexpr std::string_view kStackTrace = "stack_trace";         ///< string, innermost frame last
inline constexpr std::string_view kModuleStack = "nn_module_stack";    ///< ModuleStack
inline constexpr std::string_view kSourceFunction = "source_fn_stack"; ///< string
inline constexpr std::string_view kTorchFunction = "torch_fn";         ///< string
inline constexpr std::string_view kCustom = "custom";                  ///< string: JSON
inline constexpr std::string_view kFromNode = "from_node";             ///< string: JSON
/// Argument: the number that autograd gives a call and what works out its gradient.
inline constexpr std::string_view kSequence = "seq_nr";
inline constexpr std::string_view kPartition = "partitioner_tag"; ///< string
inline constexpr std::string_view kIsBackward = "is_backward";    ///< of kPartition: it works out gradients
/// Argument: a dict from the path of another graph to the names of this node's counterparts there.
inline constexpr std::string_view kStages = "stages";
inline constexpr std::string_view kIsWrapped = "is_wrapped"; ///< bool: needs torch.fx.wrap in generated code
inline constexpr std::string_view kFault = "fault";          ///< string: why the trace ends at this node
} // namespace meta

/// The best description of the node's value: from ShapeProp if it ran, else as recorded at capture.
const ValueMeta* knownValue(const Meta& meta);

} // namespace fx
