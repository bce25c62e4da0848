// SPDX-License-Identifier: GPL-3.0-or-later
// What a call of one of torch's functions with proxies records: its own node, that of the function in C under
// it, or those of its body.
#include "core/base/text.h"
#include "core/torch/bind/argument_parser.h"
#include "core/torch/host/handed_call.h"
#include "core/trace/tracing_host.h"
#include "core/trace/within.h"

#include <algorithm>

namespace fx {

std::optional<Value> TracingHost::recordPython(const FunctionRow& row, const Values& args,
                                               const NamedValues& kwargs) {
    const HandedCall call = handedCall(row, args, kwargs);
    if (std::ranges::none_of(call.checked, isProxy))
        return std::nullopt;
    return record(call.target, call.args, call.kwargs);
}

Value TracingHost::record(Target target, const Values& args, const NamedValues& kwargs) {
    if (target.name().find('.') == std::string::npos)
        return m_tracer->createProxy(Opcode::CallMethod, target, args, kwargs);
    return m_tracer->createProxy(Opcode::CallFunction, target, args, kwargs,
                                 snakeCase(target.functionName()));
}

void TracingHost::refuseDataOfProxies(Evaluator& evaluator, std::string_view maker, const Values& args,
                                      const NamedValues& kwargs) {
    static constexpr std::string_view kMakers[] = {"torch.tensor", "torch.as_tensor", "torch.asarray",
                                                   "torch.Tensor.new_tensor"};
    if (m_tracer->readsGeneratedCode() ||
        std::find(std::begin(kMakers), std::end(kMakers), maker) == std::end(kMakers))
        return;
    const auto take = [&](const Value& data) {
        if (isProxy(data)) // which has any attribute that it is asked for
            raise("TypeError", "`__cuda_array_interface__` must be a dict");
        // PyTorch takes an item that is no number for a sequence, and asks for its length.
        forEachWithin(data, [&](const Value& item) {
            if (isProxy(item))
                length(evaluator, item);
            return true;
        });
    };
    if (!args.empty())
        take(args[0]);
    for (const auto& [name, value] : kwargs)
        if (name == "data" || name == "obj")
            take(value);
}

void TracingHost::refuseSizesOfProxies(const FunctionRow& row, const Values& args) {
    if (m_tracer->readsGeneratedCode() || row.sizesMessage.empty() || args.size() < 2 || !isProxy(args[0]))
        return;
    std::vector<std::string> types;
    for (const Value& arg : args)
        types.push_back(fx::typeName(arg));
    raise("TypeError", replaceAll(replaceAll(row.sizesMessage, "{}", join(types, ", ")), "{count}",
                                  std::to_string(args.size())));
}

Value TracingHost::recordFunction(Evaluator& evaluator, const Value& function, Values args,
                                  NamedValues kwargs) {
    const Target target = function.as<FunctionObject>()->target;
    const FunctionRow* row = m_torch.rowOf(target);
    while (row && row->kind == FunctionKind::Switch) {
        const FunctionSwitch& choice = *row->choice;
        bool flag = choice.byDefault;
        if (choice.position < args.size() && !isProxy(args[choice.position]))
            flag = evaluator.isTrue(args[choice.position]);
        for (const auto& [key, value] : kwargs)
            if (key == choice.flag)
                flag = evaluator.isTrue(value);
        row = findFunction(flag ? choice.ifTrue : choice.ifFalse);
    }
    const auto asks = [&] {
        const std::string name(row->publicName);
        return m_torch.asksForOverrides(name.substr(0, name.rfind('.')));
    };
    if (row && row->kind == FunctionKind::Python && asks())
        if (std::optional<Value> recorded = recordPython(*row, args, kwargs))
            return std::move(*recorded);
    const bool runsBody = row && (row->kind == FunctionKind::Python || row->kind == FunctionKind::Body);
    if (runsBody) {
        const Target name(row->publicName);
        if (const std::optional<Value> body = m_torch.libraryFunction(evaluator, name))
            return evaluator.call(*body, std::move(args), std::move(kwargs));
    }
    if (row)
        refuseSizesOfProxies(*row, args);
    if (row && row->kind == FunctionKind::Native)
        refuseDataOfProxies(evaluator, row->publicName, args, kwargs);
    const Target recorded = row && row->target ? row->target : target;
    const bool isParsed = !m_tracer->readsGeneratedCode() && row && row->kind == FunctionKind::Builtin &&
                          !FunctionOverrides::concern(evaluator, args, kwargs);
    if (isParsed)
        if (const SignatureGroup* group = findSignatures(recorded.name()))
            parseArguments(*group, args, kwargs); // refuses what fits no overload
    return record(recorded, args, kwargs);
}

Value TracingHost::recordMethod(Evaluator& evaluator, const MethodObject& method, Values args,
                                NamedValues kwargs) {
    const FunctionRow* row = plainOf(method.self).isTensor() ? findTensorMember(method.name) : nullptr;
    const Target target = row && row->target ? row->target : Target(method.name);
    if (row)
        refuseSizesOfProxies(*row, args);
    refuseDataOfProxies(evaluator, target.name(), args, kwargs);
    args.insert(args.begin(), method.self);
    if (row && row->kind == FunctionKind::Python)
        if (std::optional<Value> recorded = recordPython(*row, args, kwargs))
            return std::move(*recorded);
    if (row && (row->kind == FunctionKind::Python || row->kind == FunctionKind::Body))
        if (const std::optional<Value> body = tensorLibraryMethod(evaluator, method.name))
            return evaluator.call(*body, std::move(args), std::move(kwargs));
    return record(target, args, kwargs);
}

std::optional<Value> TracingHost::recordConversion(const ClassData& type, const Values& args) {
    const bool isNumber = type.name == "int" || type.name == "float" || type.name == "bool";
    if (!isTracing() || !m_tracer->readsGeneratedCode() || !isNumber || args.size() != 1 || !isProxy(args[0]))
        return std::nullopt;
    return m_tracer->createProxy(Opcode::CallFunction, type.name, args, {});
}

/// A native function among whose arguments a proxy may be; none: it goes on as it is.
std::optional<Value> TracingHost::recordNative(Evaluator& evaluator, const NativeObject& native,
                                               const Values& args, const NamedValues& kwargs) {
    if (!isTracing() || std::none_of(args.begin(), args.end(), holdsProxy))
        return std::nullopt;
    // torch.Tensor.add(x, y) of generated code was recorded with what is a Proxy now.
    constexpr std::string_view kMethods = "torch.Tensor.";
    if (m_tracer->readsGeneratedCode() && isProxy(args[0]) && native.name.starts_with(kMethods))
        return evaluator.callMethod(args[0], native.name.substr(kMethods.size()),
                                    Values(args.begin() + 1, args.end()), kwargs);
    // A method that is Python in PyTorch is recorded by its own name: Tensor.__rsub__(x, y) is no y - x.
    if (native.name.starts_with(kMethods))
        if (const FunctionRow* row = findTensorMember(native.name.substr(kMethods.size()));
            row && row->kind == FunctionKind::Python)
            return recordPython(*row, args, kwargs);
    const bool asksForBool = native.name == "operator.not_" || native.name == "operator.contains";
    if (m_tracer->readsGeneratedCode() && asksForBool)
        return m_tracer->createProxy(Opcode::CallFunction, native.name, args, kwargs);
    if (native.name.starts_with("math.") && !m_tracer->isAppending()) {
        const Value out = m_tracer->createProxy(Opcode::CallFunction, native.name, args, kwargs);
        if (isProxy(out)) // a tracer of the source's may give anything
            m_tracer->edit().setMeta(m_tracer->nodeOf(out), meta::kIsWrapped, MetaValue(true));
        return out;
    }
    if (native.name == "pow" && args.size() == 3)
        return m_tracer->createProxy(Opcode::CallFunction, "operator.pow", args, kwargs);
    const bool isAbs = native.name == "abs" || native.name == "operator.abs";
    if (isAbs && args.size() == 1 && args[0].as<InstanceObject>())
        return evaluator.callMethod(args[0], "__abs__");
    if (isAbs && args.size() == 1 && isProxy(args[0]))
        return m_tracer->createProxy(Opcode::CallFunction, "operator.abs", args, kwargs);
    if (native.name == "isinstance" && args.size() == 2 && isProxy(args[0])) {
        const auto* type = args[1].as<ClassObject>();
        const auto isOfSource = [&] { // torch's own text knows
            const std::vector<CallSite> calls = evaluator.frames().callStack();
            return calls.empty() || !calls.front().file->isLibrary();
        };
        if (type && type->data->name == "Tensor" && isOfSource())
            m_tracer->note("isinstance(..., torch.Tensor) is False while tracing, as the value is a Proxy");
    }
    if (native.name == "round" && isProxy(args[0]))
        raise("TypeError", "type " + typeName(args[0]) + " doesn't define __round__ method");
    return std::nullopt;
}

} // namespace fx
