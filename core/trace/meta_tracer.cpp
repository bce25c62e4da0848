// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/meta_tracer.h"

#include "core/base/text.h"
#include "core/python/items.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/values/value_text.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Makers of tensors whose `device` is the meta device's while a node is run.
constexpr std::string_view kMakers[] = {"torch.arange", "torch.zeros", "torch.ones", "torch.full_like",
                                        "torch.eye"};

Value metaTwin(const at::Tensor& tensor) {
    return c10::IValue(tensor.is_meta() ? tensor : tensor.detach().to(at::kMeta));
}

} // namespace

MetaTracer::MetaTracer(Evaluator* evaluator, const Value& given) : Tracer(evaluator), m_given(given) {
    supportMeta();
}

std::string MetaTracer::pathOfModule(const Value& module) {
    if (knowsModule(module))
        return Tracer::pathOfModule(module);
    // A module that the forward has made for itself: torch.fx hangs it into the root, where it has no state.
    const auto has = [&](const char* tensors) {
        return !evaluator()->items(evaluator()->callMethod(module, tensors)).empty();
    };
    if (!root().as<InstanceObject>() || has("parameters") || has("buffers"))
        return Tracer::pathOfModule(module);
    std::string base = module.as<InstanceObject>()->type.as<ClassObject>()->data->name;
    std::transform(base.begin(), base.end(), base.begin(), ::tolower);
    int count = 0;
    std::string path;
    do
        path = base + '_' + std::to_string(count++);
    while (evaluator()->findAttribute(root(), path));
    evaluator()->callMethod(root(), "add_module", {makeText(path), module});
    addModule(module, path);
    return path;
}

Value MetaTracer::callModule(const Value& module, const std::function<Value(Values, NamedValues)>& forward,
                             Values args, NamedValues kwargs) {
    m_forward = &forward;
    return Tracer::callModule(module, forward, std::move(args), std::move(kwargs));
}

Value MetaTracer::moduleAttribute(const Value& module, const std::string& name, const Value& found) {
    if (!m_isRunning)
        return Tracer::moduleAttribute(module, name, found);
    return plainOf(found).isTensor() ? metaTwin(plainOf(found).data().toTensor()) : found;
}

std::optional<Value> MetaTracer::known(const Value& proxy) {
    const auto& content = *asProxy(proxy);
    if (content.node)
        if (const auto found = m_known.find(content.node.value); found != m_known.end())
            return found->second;
    if (content.attribute.empty())
        return std::nullopt;
    const std::optional<Value> owner = known(content.owner);
    return owner ? evaluator()->findAttribute(*owner, content.attribute) : std::nullopt;
}

std::optional<Values> MetaTracer::knownOfAll(Values values) {
    for (Value& value : values) {
        std::optional<Value> found = knownOf(value);
        if (!found)
            return std::nullopt;
        value = std::move(*found);
    }
    return values;
}

std::optional<Value> MetaTracer::knownOf(const Value& value) {
    if (isProxy(value))
        return known(value);
    if (plainOf(value).isTensor())
        return metaTwin(plainOf(value).data().toTensor());
    if (const auto* sequence = value.as<SequenceObject>()) {
        std::optional<Values> items = knownOfAll(sequence->items);
        if (!items)
            return std::nullopt;
        return sequence->isList ? makeList(std::move(*items)) : makeTuple(std::move(*items));
    }
    if (const auto* dict = value.as<DictObject>()) {
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries()) {
            std::optional<Value> item = knownOf(entry.value);
            if (!item)
                return std::nullopt;
            out.set(entry.key, std::move(*item));
        }
        return Value(Object{std::move(out)});
    }
    if (const auto* slice = value.as<SliceObject>()) {
        const std::optional<Values> parts = knownOfAll({slice->start, slice->stop, slice->step});
        return parts ? std::optional<Value>(Object{SliceObject{(*parts)[0], (*parts)[1], (*parts)[2]}})
                     : std::nullopt;
    }
    return value;
}

std::optional<Value> MetaTracer::run(Opcode opcode, Target target, const Values& given,
                                     const NamedValues& givenByName) {
    std::optional<Values> known = knownOfAll(given);
    if (!known)
        return std::nullopt;
    Values& args = *known;
    NamedValues kwargs;
    for (const auto& [key, value] : givenByName) {
        std::optional<Value> found = knownOf(value);
        if (!found)
            return std::nullopt;
        kwargs.emplace_back(key, std::move(*found));
    }
    const std::string& name = target.name();
    switch (opcode) {
    case Opcode::CallFunction:
        if (std::find(std::begin(kMakers), std::end(kMakers), name) != std::end(kMakers))
            for (auto& [key, value] : kwargs)
                if (key == "device")
                    value = makeText("meta");
        return evaluator()->call(functionOf(*evaluator(), target), std::move(args), std::move(kwargs));
    case Opcode::CallMethod: {
        const Value self = args.at(0);
        args.erase(args.begin());
        return evaluator()->callMethod(self, name, std::move(args), std::move(kwargs));
    }
    case Opcode::CallModule:
        return (*m_forward)(std::move(args), std::move(kwargs));
    default: {
        Value found = root();
        for (const std::string_view atom : split(name, '.'))
            found = evaluator()->attribute(found, std::string(atom));
        return knownOf(found);
    }
    }
}

Value MetaTracer::createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                              std::optional<std::string_view> name, std::optional<std::string> type) {
    const Value proxy = Tracer::createProxy(opcode, target, args, kwargs, name, std::move(type));
    const NodeId node = nodeOf(proxy);
    std::optional<Value> found;
    if (opcode == Opcode::Placeholder) {
        const auto* byName = m_given.as<DictObject>();
        if (const Value* value = byName ? byName->find(std::string_view(target.name())) : nullptr)
            found = knownOf(*value);
    } else {
        // The modules below are called as they are, with their weights on the meta device.
        struct Running {
            bool& isRunning;
            explicit Running(bool& flag) : isRunning(flag) { isRunning = true; }
            ~Running() { isRunning = false; }
        };
        try {
            const Inactive inactive(*this);
            const Running running(m_isRunning);
            found = run(opcode, target, args, kwargs);
        } catch (const Error& error) {
            note("could not compute metadata for " + std::string(opcodeName(opcode)) + ' ' + target.name() +
                 ": " + error.message());
        }
    }
    if (found)
        learn(node, *found);
    return proxy;
}

void MetaTracer::learn(NodeId node, const Value& value) {
    m_known.insert_or_assign(node.value, value);
    edit().setMeta(node, meta::kTensorMeta, describeValue(value));
}

std::optional<Value> MetaTracer::argumentInstead(const std::string& name,
                                                 const std::optional<Value>& defaultValue) {
    const auto* given = m_given.as<DictObject>();
    if (!given || given->size() == 0 || given->find(std::string_view(name)))
        return std::nullopt;
    if (name.starts_with("**"))
        return Value(Object{DictObject()});
    return name.starts_with('*') ? std::optional(makeTuple({})) : defaultValue;
}

Value MetaTracer::callRoot(const TraceArguments& arguments, const Value& function, const Values& args) {
    if (!arguments.isDecorated(function))
        return Tracer::callRoot(arguments, function, args);
    // Decorators look for arguments by their names.
    const size_t self = root().as<InstanceObject>() ? 1 : 0;
    return evaluator()->call(function, Values(args.begin(), args.begin() + static_cast<ptrdiff_t>(self)),
                             arguments.byName(args, self));
}

void MetaTracer::recorded(NodeId node, const Value& value) {
    if (const std::optional<Value> found = knownOf(value))
        learn(node, *found);
}

bool MetaTracer::toBool(const Value& proxy) {
    const std::optional<Value> value = known(proxy);
    const bool isDecided = value && !plainOf(*value).isTensor();
    return isDecided ? evaluator()->isTrue(*value) : Tracer::toBool(proxy);
}

Value MetaTracer::iter(const Value& proxy) {
    if (!known(proxy))
        return Tracer::iter(proxy);
    Values items;
    for (int64_t i = 0, size = length(proxy); i < size; ++i)
        items.push_back(createProxy(Opcode::CallFunction, "operator.getitem", {proxy, makeInt(i)}, {}));
    return evaluator()->iterator(makeList(std::move(items)));
}

int64_t MetaTracer::length(const Value& proxy) {
    const std::optional<Value> value = known(proxy);
    return value ? lengthOf(*evaluator(), *value) : Tracer::length(proxy);
}

std::optional<Value> MetaTracer::proxyAttribute(const Value& proxy, const std::string& name) {
    static constexpr std::string_view kValues[] = {"shape", "dtype"}, kMethods[] = {"size", "dim"};
    const auto isOneOf = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    if (isOneOf(kValues) || isOneOf(kMethods))
        if (const std::optional<Value> value = known(proxy); value && plainOf(*value).isTensor())
            return evaluator()->attribute(*value, name);
    return Tracer::proxyAttribute(proxy, name);
}

bool MetaTracer::setItem(const Value& proxy, const Value& index, const Value& value) {
    createProxy(Opcode::CallFunction, "operator.setitem", {proxy, index, value}, {});
    return true;
}

} // namespace fx
