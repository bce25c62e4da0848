// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on live values: what is known while tracing is computed, within bounds, and without touching
// anything outside. On the meta device the same gives the shapes of what is not known.
#include "core/base/current_work.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/bind/operator_effects.h"
#include "core/trace/script/script_knowledge.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr uint64_t kMostBytes = 256u << 20;     ///< of one computed tensor
constexpr uint64_t kMostFolded = 1024ull << 20; ///< of all of them together
constexpr size_t kLongestText = 16u << 20;

/// Only operators that compute, from what is known.
bool mayRun(const torch::jit::Node& node) {
    const std::string_view space = node.kind().ns().toUnqualString();
    if (space != "aten" && space != "prim")
        return false;
    static constexpr std::string_view kRefused[] = {
        "manual_seed", "seed", "profile", "fork", "wait", "set_grad_enabled", "_record_function_enter"};
    const std::string_view name = node.kind().toUnqualString();
    return isWithinReach(effectOf(node.kind().toQualString())) &&
           std::find(std::begin(kRefused), std::end(kRefused), name) == std::end(kRefused) &&
           node.maybeSchema() && node.blocks().empty();
}

bool isMutating(const torch::jit::Node& node) {
    return node.maybeSchema() && node.schema().is_mutable();
}

uint64_t bytesOf(const Value& value) {
    uint64_t bytes = 0;
    forEachTensor(value,
                  [&](const at::Tensor& t) { bytes += t.defined() ? t.numel() * t.element_size() : 0; });
    return bytes;
}

/// The same with tensors on the meta device.
Value toMeta(const Value& value) {
    if (value.isTensor())
        return value.data().toTensor().defined() ? Value(c10::IValue(value.data().toTensor().to(at::kMeta)))
                                                 : value;
    if (const auto* sequence = value.as<SequenceObject>()) {
        Values items;
        for (const Value& item : sequence->items)
            items.push_back(toMeta(item));
        return sequence->isList ? makeList(std::move(items)) : makeTuple(std::move(items));
    }
    return value;
}

/// Runs the operator; none where a value does not fit, or LibTorch refuses.
std::optional<Values> run(const torch::jit::Node& node, const Values& inputs, std::string* fault = nullptr) {
    torch::jit::Stack stack;
    for (size_t i = 0; i < inputs.size(); ++i) {
        std::optional<c10::IValue> converted = toIValue(inputs[i], node.inputs()[i]->type());
        if (!converted)
            return std::nullopt;
        stack.push_back(std::move(*converted));
    }
    if (node.schema().is_vararg())
        stack.emplace_back(static_cast<int64_t>(inputs.size()));
    try {
        const at::NoGradGuard noGrad;
        const NotedScope noted(currentWork.call, node.kind().toQualString());
        node.getOperation()(stack);
    } catch (const c10::Error& error) {
        if (fault)
            *fault = error.what_without_backtrace();
        return std::nullopt;
    } catch (const std::exception& error) {
        if (fault)
            *fault = error.what();
        return std::nullopt;
    }
    Values out;
    for (const c10::IValue& result : stack)
        out.push_back(fromIValue(result));
    return out;
}

/// For factories: the argument `device`.
std::optional<size_t> deviceArgument(const torch::jit::Node& node) {
    const auto& arguments = node.schema().arguments();
    for (size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].name() == "device")
            return i;
    return std::nullopt;
}

/// What asks where a tensor is, of which the meta device says nothing.
bool readsDevice(const torch::jit::Node& node) {
    static constexpr std::string_view kReads[] = {"device",  "get_device", "is_cuda",   "is_cpu",
                                                  "is_meta", "is_xla",     "is_xpu",    "is_mps",
                                                  "is_mtia", "is_maia",    "is_vulkan", "is_pinned"};
    return std::ranges::find(kReads, node.kind().toUnqualString()) != std::end(kReads);
}

bool isText(const Value& value) {
    return value.isString() && value.text().size() > 1000;
}

} // namespace

bool ScriptKnowledge::isKnown(const Value& value) const {
    if (holdsProxy(value) || holdsInstance(value))
        return false;
    if (m_shadows > 0)
        return true;
    bool isKnown = true;
    forEachTensor(value, [&](const at::Tensor& tensor) {
        isKnown =
            isKnown && (!tensor.defined() || (!m_tracer.isOfModel(tensor) && !m_tracer.isConstant(tensor) &&
                                              !m_tracer.isMaterialized(tensor)));
    });
    return isKnown;
}

std::optional<Values> ScriptKnowledge::fold(const torch::jit::Node& node, const Values& inputs) {
    if (!mayRun(node) ||
        !std::all_of(inputs.begin(), inputs.end(), [&](const Value& v) { return isKnown(v); }))
        return std::nullopt;
    const bool givesTensor =
        std::any_of(node.outputs().begin(), node.outputs().end(), [](const torch::jit::Value* output) {
            return output->type()->isSubtypeOf(*c10::OptionalType::ofTensor()) ||
                   output->type()->isSubtypeOf(*c10::ListType::ofTensors());
        });
    const bool takesTensor = std::any_of(inputs.begin(), inputs.end(), holdsTensor);
    std::string fault;
    if (m_shadows > 0)
        return runOnMeta(node, inputs);
    if (!givesTensor && !takesTensor) {
        // Numbers, texts and lists: bounded where a number can make them long.
        const bool isLong = std::any_of(inputs.begin(), inputs.end(), isText);
        for (const Value& input : inputs)
            if (input.isInt() && std::abs(input.data().toInt()) > static_cast<int64_t>(kLongestText) &&
                std::any_of(inputs.begin(), inputs.end(),
                            [](const Value& v) { return v.isString() || v.as<SequenceObject>(); }) &&
                input.data().toInt() != std::numeric_limits<int64_t>::max())
                m_tracer.fail("MemoryError", "a text or list of the program is too long");
        std::optional<Values> out = run(node, inputs, &fault);
        if (!out && !fault.empty())
            m_tracer.fail("RuntimeError", fault);
        if (out && isLong)
            for (const Value& result : *out)
                if (result.isString() && result.text().size() > kLongestText)
                    m_tracer.fail("MemoryError", "a text of the program is too long");
        return out;
    }
    if (node.isNondeterministic() || (m_tracer.isInBody() && isMutating(node)))
        return std::nullopt;
    // How large the result is, before any of it is computed.
    uint64_t bytes = 0;
    if (givesTensor && !isMutating(node)) {
        const std::string_view name = node.kind().toUnqualString();
        const bool readsList = name == "tensor" || name == "as_tensor";
        const std::optional<Values> sized = readsList ? std::optional(Values()) : runOnMeta(node, inputs);
        if (!sized)
            return std::nullopt;
        for (const Value& result : *sized)
            bytes += bytesOf(result);
    }
    for (const Value& input : inputs)
        if (input.isTensor() && input.data().toTensor().is_meta())
            return std::nullopt;
    m_foldedBytes += bytes;
    if (bytes > kMostBytes || m_foldedBytes > kMostFolded)
        return std::nullopt; // becomes a node, and is computed when the graph runs
    return run(node, inputs);
}

std::optional<Values> ScriptKnowledge::runOnMeta(const torch::jit::Node& node, Values metas) const {
    if (!metas.empty() && metas[0].isTensor() && metas[0].data().toTensor().defined()) {
        const at::Tensor& first = metas[0].data().toTensor();
        if (readsDevice(node)) {
            if (!m_device || m_device->is_meta())
                return std::nullopt;
            metas[0] = c10::IValue(at::empty({0}, first.options().device(*m_device)));
            return run(node, metas);
        }
        const std::string_view name = node.kind().toUnqualString();
        if (node.kind().is_aten() && (name == "cpu" || name == "cuda"))
            return Values{toMeta(metas[0])};
    }
    for (Value& meta : metas)
        meta = toMeta(meta);
    const bool takesTensor = std::any_of(metas.begin(), metas.end(), holdsTensor);
    const auto device = deviceArgument(node);
    if (device && (!takesTensor || !metas[*device].isNone()))
        metas[*device] = c10::IValue(c10::Device(at::kMeta));
    return run(node, metas);
}

void ScriptKnowledge::setExample(const Value& proxy, const Value& example) {
    supportMeta();
    const bool isFirst = m_shapes.empty();
    bool isAny = false;
    forEachTensor(example, [&](const at::Tensor& tensor) {
        if (isFirst && !isAny)
            m_device = tensor.device();
        else if (m_device != tensor.device())
            m_device.reset();
        isAny = true;
    });
    keepShapes(proxy, toMeta(example));
}

std::optional<Value> ScriptKnowledge::shapeOf(const Value& value) const {
    if (const auto* proxy = value.as<ProxyObject>()) {
        const auto known = m_shapes.find(proxy->node);
        if (known != m_shapes.end())
            return known->second;
        if (proxy->concrete)
            return toMeta(*proxy->concrete);
        return std::nullopt;
    }
    if (const auto* sequence = value.as<SequenceObject>()) {
        Values items;
        for (const Value& item : sequence->items) {
            const std::optional<Value> shape = shapeOf(item);
            if (!shape)
                return std::nullopt;
            items.push_back(*shape);
        }
        return sequence->isList ? makeList(std::move(items)) : makeTuple(std::move(items));
    }
    if (const auto* dict = value.as<DictObject>()) {
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries()) {
            const std::optional<Value> shape = shapeOf(entry.value);
            if (!shape)
                return std::nullopt;
            out.set(entry.key, *shape);
        }
        return Value(Object{std::move(out)});
    }
    if (value.as<InstanceObject>())
        return std::nullopt;
    return toMeta(value);
}

std::optional<Values> ScriptKnowledge::foldShapes(const torch::jit::Node& node, const Values& inputs) {
    if (m_shapes.empty() || m_shadows > 0 || !mayRun(node))
        return std::nullopt;
    Values shapes;
    for (const Value& input : inputs) {
        const std::optional<Value> shape = shapeOf(input);
        if (!shape)
            return std::nullopt;
        shapes.push_back(*shape);
    }
    return runOnMeta(node, std::move(shapes));
}

void ScriptKnowledge::keepShapes(const Value& result, const Value& shapes) {
    if (const auto* proxy = result.as<ProxyObject>()) {
        m_shapes[m_tracer.nodeOf(result)] = shapes;
        (void)proxy;
        return;
    }
    const auto* results = result.as<SequenceObject>();
    const auto* known = shapes.as<SequenceObject>();
    if (results && known)
        for (size_t i = 0; i < std::min(results->items.size(), known->items.size()); ++i)
            keepShapes(results->items[i], known->items[i]);
}

} // namespace fx
