// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_recorder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/operators.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

Value recordRow(ScriptTracer& tracer, const FunctionRow& row, const ValuesByName& byName) {
    Values positional;
    NamedValues keywords;
    const auto valueOf = [&](size_t index) {
        const Parameter& parameter = row.parameters[index];
        const auto given = byName.find(parameter.name);
        if (given != byName.end())
            return given->second;
        return parameter.defaultValue ? makeValue(*parameter.defaultValue, nullptr) : Value();
    };
    for (const RecordedArgument& argument : row.records) {
        Value held =
            argument.parameter ? valueOf(*argument.parameter) : makeValue(argument.constant, nullptr);
        if (argument.spread) {
            for (const Value& item : itemsOf(held).value_or(Values{}))
                positional.push_back(item);
        } else if (argument.key.empty()) {
            positional.push_back(std::move(held));
        } else {
            keywords.emplace_back(argument.key, std::move(held));
        }
    }
    const bool isMethod = row.target.name().find('.') == std::string::npos;
    return tracer.record(isMethod ? Opcode::CallMethod : Opcode::CallFunction, row.target, positional,
                         keywords);
}

Values ScriptRecorder::changeable(const torch::jit::Node& node, Values inputs) {
    const c10::FunctionSchema* schema = node.maybeSchema();
    if (!schema || !schema->is_mutable())
        return inputs;
    for (size_t i = 0; i < inputs.size() && i < schema->arguments().size(); ++i) {
        const c10::AliasInfo* alias = schema->arguments()[i].alias_info();
        if (!alias || !alias->isWrite() || !inputs[i].isTensor())
            continue;
        const at::Tensor tensor = inputs[i].data().toTensor();
        if (!m_state.tracer.isOfModel(tensor)) {
            inputs[i] = m_state.tracer.materialize(tensor);
            m_state.frames.replace(tensor, inputs[i]); // who else holds it sees the change as well
        }
    }
    return inputs;
}

Value ScriptRecorder::asTensors(const c10::TypePtr& type, const Value& given) {
    if (given.as<ProxyObject>()) {
        const bool isNumber = m_state.knowledge.isNumber(m_state.tracer.nodeOf(given));
        return isNumber && type->isSubtypeOf(*c10::OptionalType::ofTensor())
                   ? m_state.tracer.record(Opcode::CallFunction, "torch.tensor", {given})
                   : given;
    }
    const auto* sequence = given.as<SequenceObject>();
    const auto list = type->cast<c10::ListType>();
    const auto tuple = type->cast<c10::TupleType>();
    if (!sequence || (!list && (!tuple || tuple->elements().size() != sequence->items.size())))
        return given;
    Values items;
    for (size_t i = 0; i < sequence->items.size(); ++i)
        items.push_back(asTensors(list ? list->getElementType() : tuple->elements()[i], sequence->items[i]));
    const bool isSame = std::equal(items.begin(), items.end(), sequence->items.begin(),
                                   [](const Value& a, const Value& b) { return a.isSame(b); });
    return isSame ? given : sequence->isList ? makeList(std::move(items)) : makeTuple(std::move(items));
}

/// TorchScript's pow, round, max and min give floats where Python's give ints.
static Value asFloat(const ScriptCall& call, const Value& result) {
    static constexpr std::string_view kNames[] = {"pow", "round", "max", "min"};
    const torch::jit::Node& node = call.node;
    if (std::ranges::find(kNames, call.name) == std::end(kNames) || node.outputs().size() != 1 ||
        node.output()->type()->kind() != c10::TypeKind::FloatType)
        return result;
    const bool takesInts =
        call.name == "round" || std::ranges::any_of(node.inputs(), [](const torch::jit::Value* input) {
            return input->type()->kind() == c10::TypeKind::IntType;
        });
    return takesInts ? call.record(Opcode::CallFunction, "float", {result}) : result;
}

void ScriptRecorder::record(const torch::jit::Node& node, Values given) {
    ScriptTracer& tracer = m_state.tracer;
    if (m_state.knowledge.isShadow())
        throw Error("", "the shape is not known");
    if (!node.blocks().empty() || !node.maybeSchema())
        tracer.fail("", std::string("the operator ") + node.kind().toQualString() + " cannot be traced");
    const std::string name = node.kind().toUnqualString();
    if (node.kind().is_aten())
        if (std::optional<Value> part = m_subscripts.record({m_state, node, name, given}))
            return m_state.frames.setOutput(node, std::move(*part));
    Values args = changeable(node, std::move(given));
    const bool isNumber = node.kind().is_aten() && m_state.knowledge.restoreNumbers(name, args);
    if (!ScriptKnowledge::isArithmetic(name, args))
        for (size_t i = 0; i < args.size(); ++i)
            args[i] = asTensors(node.schema().arguments()[i].type(), args[i]);
    const ScriptCall call{m_state, node, name, args};
    const Value result = asFloat(call, recordCall(call));
    if (isNumber && result.as<ProxyObject>())
        m_state.knowledge.setNumber(tracer.nodeOf(result));
    setResults(call, result);
}

void ScriptRecorder::setResults(const ScriptCall& call, const Value& result) {
    const torch::jit::Node& node = call.node;
    const auto& outputs = node.outputs();
    if (outputs.empty())
        return;
    if (outputs.size() == 1) {
        const c10::TypePtr& type = outputs[0]->type();
        const bool isOfTensors = type->isSubtypeOf(*c10::OptionalType::ofTensor()) ||
                                 type->isSubtypeOf(*c10::ListType::ofTensors());
        if (!isOfTensors && !node.schema().is_mutable() && result.as<ProxyObject>())
            m_state.tracer.setErasable(m_state.tracer.nodeOf(result));
        m_state.frames.setOutput(node, result);
        return;
    }
    // Several results are a tuple in Python. What is unpacked there is unpacked whole.
    const ScriptPlace& place = call.place();
    const bool isUnpacked = place.before.ends_with('=') && contains(place.before, ",");
    const std::string& after = place.after;
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i]->uses().empty() && !isUnpacked) {
            m_state.frames.set(outputs[i], {});
            continue;
        }
        const bool isNamed = after.starts_with(".values") || after.starts_with(".indices");
        const Value part =
            isNamed ? call.record(Opcode::CallFunction, "getattr",
                                  {result, makeText(after.starts_with(".v") ? "values" : "indices")})
                    : call.record(Opcode::CallFunction, "operator.getitem",
                                  {result, makeInt(static_cast<int64_t>(i))});
        m_state.frames.set(outputs[i], part);
    }
}

/// What tracing and freezing leave of torch.conv2d and its like: one operator for all of them.
static std::optional<Value> recordConvolution(const ScriptCall& call) {
    const auto& [state, node, name, args] = call;
    if ((name != "_convolution" && name != "convolution") || args.size() < 9)
        return std::nullopt;
    const auto* stride = args[3].as<SequenceObject>();
    const auto* outputPadding = args[7].as<SequenceObject>();
    if (!stride || !outputPadding || !args[6].isBool() || stride->items.empty() || stride->items.size() > 3)
        return std::nullopt;
    const bool isTransposed = args[6].data().toBool();
    const std::string target =
        (isTransposed ? "torch.conv_transpose" : "torch.conv") + std::to_string(stride->items.size()) + 'd';
    Values positional{args[0], args[1], args[2], asTuple(args[3]), asTuple(args[4])};
    if (isTransposed) {
        positional.push_back(asTuple(args[7]));
        positional.push_back(args[8]);
        positional.push_back(asTuple(args[5]));
    } else {
        positional.push_back(asTuple(args[5]));
        positional.push_back(args[8]);
    }
    return call.record(Opcode::CallFunction, target, positional);
}

Value ScriptRecorder::recordCall(const ScriptCall& call) {
    const auto& [state, node, name, args] = call;
    const std::string space = node.kind().ns().toUnqualString();
    if (space == "prim") {
        static constexpr std::string_view kAttributes[] = {
            "dtype", "device", "layout",    "shape",        "is_cuda",  "is_cpu", "is_meta", "requires_grad",
            "grad",  "data",   "is_sparse", "is_quantized", "itemsize", "T",      "mT",      "H"};
        if (std::find(std::begin(kAttributes), std::end(kAttributes), name) != std::end(kAttributes))
            return call.record(Opcode::CallFunction, "getattr", {args[0], makeText(name)});
        if (name == "min" || name == "max" || name == "abs")
            return call.record(Opcode::CallFunction, name, args);
        const bool isOfDevice = node.inputs()[0]->type()->kind() == c10::TypeKind::DeviceObjType;
        if (isOfDevice && (name == "type" || name == "index"))
            return call.record(Opcode::CallFunction, "getattr", {args[0], makeText(name)});
        m_state.tracer.fail("",
                            "the operator prim::" + name + " of a traced value cannot be part of a graph");
    }
    if (space != "aten")
        return call.record(Opcode::CallFunction, operatorTarget(node.schema().operator_name()), args);
    if (!call.place().text.empty() && !call.place().isBuiltinHelper())
        if (std::optional<Value> written = recordWritten(call))
            return std::move(*written);
    if (std::optional<Value> convolution = recordConvolution(call))
        return std::move(*convolution);
    if (std::optional<Value> done = m_operators.record(call))
        return std::move(*done);
    return recordDefault(call);
}

} // namespace fx
