// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/function_overrides.h"

#include "core/base/text.h"
#include "core/python/types/support.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/handed_call.h"
#include "core/torch/host/nn_modules.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace fx {

namespace {

const TextKey kOverride("__torch_function__");

/// `__torch_function__` of the class of a value that overrides calls: not of a plain Tensor or Parameter, and
/// not torch._C._disabled_torch_function_impl, which is a native function.
const Value* overrideOf(Evaluator& evaluator, const Value& value) {
    if (!asProxy(value) && (!value.as<InstanceObject>() || isParameter(value)))
        return nullptr;
    const Value* found = evaluator.classOf(evaluator.typeOf(value)).find(kOverride);
    return found && !found->as<NativeObject>() ? found : nullptr;
}

/// Whether it is a program's, not that of Tensor or Proxy.
bool isPrograms(const Value& found) {
    const auto* method = found.as<ClassMethodObject>();
    return !method || !method->function.as<NativeObject>();
}

/// The values themselves, and the items of those that are lists or tuples.
Values looseArguments(const Values& values) {
    Values out;
    for (const Value& value : values) {
        const auto* sequence = value.as<SequenceObject>();
        if (sequence)
            out.insert(out.end(), sequence->items.begin(), sequence->items.end());
        else
            out.push_back(value);
    }
    return out;
}

bool isOverriddenByProgram(Evaluator& evaluator, const Value& value) {
    const Value* found = value.as<InstanceObject>() ? overrideOf(evaluator, value) : nullptr;
    return found && isPrograms(*found);
}

bool hasProgramsOverride(Evaluator& evaluator, const Values& values) {
    return std::ranges::any_of(values,
                               [&](const Value& value) { return isOverriddenByProgram(evaluator, value); });
}

/// The same of an argument and of its items; makes nothing, as all calls are asked.
bool holdsProgramsOverride(Evaluator& evaluator, const Value& value) {
    const auto* sequence = value.as<SequenceObject>();
    return sequence ? hasProgramsOverride(evaluator, sequence->items)
                    : isOverriddenByProgram(evaluator, value);
}

/// One value of each class, subclasses before their bases (append_overloaded_arg in
/// torch/csrc/utils/python_arg_parser.cpp). Functions that are Python count plain tensors as well.
Values overloadedOf(Evaluator& evaluator, const Values& values, bool areTensorsCounted) {
    Values out;
    for (const Value& value : values) {
        if (!overrideOf(evaluator, value) && !(areTensorsCounted && plainOf(value).isTensor()))
            continue;
        const Value type = evaluator.typeOf(value);
        if (std::ranges::any_of(out,
                                [&](const Value& known) { return evaluator.typeOf(known).isSame(type); }))
            continue;
        const auto base = std::ranges::find_if(
            out, [&](const Value& known) { return isSubclass(evaluator, type, evaluator.typeOf(known)); });
        out.insert(base, value);
    }
    return out;
}

/// What PyTorch calls the function in its own errors: "torch.nn.linear" of torch._C._nn.linear.
std::string nameInErrors(const Value& function) {
    const auto* native = function.as<NativeObject>();
    const std::string name = native ? native->name : function.as<FunctionObject>()->target.name();
    return replaceAll(replaceAll(name, "torch._C._", "torch."), "torch.ops.", "torch.ops");
}

/// The answer of the first that does not give NotImplemented; none where all do.
std::optional<Value> ask(Evaluator& evaluator, const Values& overloaded, const Value& function,
                         const Values& args, const NamedValues& kwargs, bool passesNoKeywords) {
    Values types;
    for (const Value& value : overloaded)
        types.push_back(evaluator.typeOf(value));
    Values given{function, makeTuple(types), makeTuple(args)};
    DictObject named;
    for (const auto& [name, value] : kwargs)
        named.set(name, value);
    if (!kwargs.empty() || passesNoKeywords)
        given.emplace_back(Object{std::move(named)});
    for (const Value& value : overloaded) {
        Value answer = evaluator.callMethod(value, "__torch_function__", given);
        if (!isNotImplementedValue(answer))
            return answer;
    }
    return std::nullopt;
}

[[noreturn]] void refuse(Evaluator& evaluator, const Values& overloaded, const Value& function) {
    std::string text = "Multiple dispatch failed for '" + nameInErrors(function) +
                       "'; all __torch_function__ handlers returned NotImplemented:\n\n";
    for (const Value& value : overloaded)
        text += "  - tensor subclass " + evaluator.repr(evaluator.typeOf(value)) + '\n';
    raise("TypeError", text + "\nFor more information, try re-running with TORCH_LOGS=not_implemented");
}

/// The row of the function that a flag chooses, or the row itself.
const FunctionRow* chosenRow(Evaluator& evaluator, const FunctionRow* row, const Values& args,
                             const NamedValues& kwargs) {
    while (row && row->kind == FunctionKind::Switch) {
        const FunctionSwitch& choice = *row->choice;
        bool flag = choice.byDefault;
        if (choice.position < args.size() && !asProxy(args[choice.position]))
            flag = evaluator.isTrue(args[choice.position]);
        for (const auto& [key, value] : kwargs)
            if (key == choice.flag)
                flag = evaluator.isTrue(value);
        row = findFunction(flag ? choice.ifTrue : choice.ifFalse);
    }
    return row;
}

/// The same for a function that is Python in PyTorch, which looks at some of its arguments only.
std::optional<Value> callPython(Evaluator& evaluator, const FunctionRow& row, const Values& args,
                                const NamedValues& kwargs) {
    const HandedCall handed = handedCall(row, args, kwargs);
    if (!hasProgramsOverride(evaluator, handed.checked))
        return std::nullopt;
    const Value function = Object{FunctionObject{handed.target}};
    const Values overloaded = overloadedOf(evaluator, handed.checked, true);
    if (std::optional<Value> result = ask(evaluator, overloaded, function, handed.args, handed.kwargs, true))
        return result;
    Values types;
    for (const Value& value : overloaded)
        types.push_back(evaluator.typeOf(value));
    raise("TypeError",
          "no implementation found for '" + handed.target.name() +
              "' on types that implement __torch_function__: " + evaluator.repr(makeList(std::move(types))));
}

} // namespace

Values overloadedTypes(Evaluator& evaluator, const Value& function, const Values& args,
                       const NamedValues& kwargs) {
    const auto* callee = function.as<FunctionObject>();
    const FunctionRow* row = callee ? findFunction(callee->target.name()) : nullptr;
    row = chosenRow(evaluator, row, args, kwargs);
    const bool isPython = row && row->kind == FunctionKind::Python;
    Values given = isPython ? handedCall(*row, args, kwargs).checked : args;
    if (!isPython)
        for (const auto& [name, value] : kwargs)
            given.push_back(value);
    Values out;
    for (const Value& value : overloadedOf(evaluator, looseArguments(given), isPython))
        out.push_back(evaluator.typeOf(value));
    return out;
}

std::pair<std::string, Values> tensorMethodOf(Operator op, Values operands, bool isInPlace) {
    const OperatorRow& row = operatorRow(op);
    std::string_view name = isInPlace && !row.tensorInPlace.empty() ? row.tensorInPlace : row.tensor;
    if (!plainOf(operands[0]).isTensor()) {
        std::swap(operands[0], operands[1]);
        if (row.isComparison())
            name = operatorRow(*swappedOperator(op)).tensor;
        else if (op != Operator::Add && op != Operator::Mul)
            name = row.reflected;
    }
    return {std::string(name), std::move(operands)};
}

bool FunctionOverrides::concern(Evaluator& evaluator, const Values& args, const NamedValues& kwargs) {
    const auto holds = [&](const Value& value) { return holdsProgramsOverride(evaluator, value); };
    return std::ranges::any_of(args, holds) ||
           std::ranges::any_of(kwargs, [&](const auto& named) { return holds(named.second); });
}

std::optional<Value> FunctionOverrides::answer(Evaluator& evaluator, const Value& function,
                                               const Values& args, const NamedValues& kwargs) {
    if (m_off > 0)
        return std::nullopt;
    const auto* method = function.as<MethodObject>();
    if (!(method && holdsProgramsOverride(evaluator, method->self)) && !concern(evaluator, args, kwargs))
        return std::nullopt;
    Values given = args;
    for (const auto& [name, value] : kwargs)
        given.push_back(value);
    if (method)
        given.insert(given.begin(), method->self);
    given = looseArguments(given);
    const auto* callee = function.as<FunctionObject>();
    const bool isOperator = callee && callee->target.name().starts_with("torch.ops.");
    const FunctionRow* row = callee && !isOperator ? findFunction(callee->target.name()) : nullptr;
    row = chosenRow(evaluator, row, args, kwargs);
    if (row && row->kind == FunctionKind::Python)
        return callPython(evaluator, *row, args, kwargs);
    if (row && row->kind == FunctionKind::Body)
        return std::nullopt;
    const Value called = method ? evaluator.attribute(evaluator.type("Tensor"), method->name) : function;
    Values positional = args;
    if (method)
        positional.insert(positional.begin(), method->self);
    const Values overloaded = overloadedOf(evaluator, given, false);
    if (std::optional<Value> result = ask(evaluator, overloaded, called, positional, kwargs, isOperator))
        return result;
    refuse(evaluator, overloaded, called);
}

std::optional<Value> FunctionOverrides::callMethod(Evaluator& evaluator, const std::string& name,
                                                   const Values& args) {
    return answer(evaluator, Object{MethodObject{args[0], name}}, Values(args.begin() + 1, args.end()), {});
}

std::optional<Value> FunctionOverrides::operateOn(Evaluator& evaluator, Operator op, const Values& operands,
                                                  bool isInPlace) {
    if (m_off > 0 || !hasProgramsOverride(evaluator, operands))
        return std::nullopt;
    const auto [name, args] = tensorMethodOf(op, operands, isInPlace);
    const Value method = evaluator.attribute(evaluator.type("Tensor"), name);
    const bool isPython = name.starts_with("__r") || op == Operator::Pow; // functions of torch/_tensor.py
    const Values overloaded = overloadedOf(evaluator, args, isPython);
    if (std::optional<Value> result = ask(evaluator, overloaded, method, args, {}, isPython))
        return result;
    return ValueHost::operate(evaluator, op, operands, isInPlace);
}

std::optional<Value> FunctionOverrides::interceptCall(Evaluator& evaluator, const Value& function,
                                                      Values& args, NamedValues& kwargs) {
    if (const auto* method = function.as<MethodObject>())
        return plainOf(method->self).isTensor() ? answer(evaluator, function, args, kwargs) : std::nullopt;
    const auto* callee = function.as<FunctionObject>();
    const bool isAsked =
        callee && (callee->target.name().starts_with("torch.ops.") || isFunctionOfTorch(callee->target));
    return isAsked ? answer(evaluator, function, args, kwargs) : std::nullopt;
}

void FunctionOverrides::addTo(Evaluator& evaluator) {
    evaluator.hosts().addInterceptor(*this);
    const auto native = [&](const char* name, NativeObject::Call work) {
        evaluator.builtins().set(name, makeNative(name, std::move(work)));
    };
    // What a context manager does: 1 as it is entered, -1 as it is left.
    native("_function_overrides_turn", [this](Evaluator&, Values& args, NamedValues&) {
        m_off += static_cast<int>(args.at(0).data().toInt());
        return Value();
    });
    native("_function_overrides_are_on",
           [this](Evaluator&, Values&, NamedValues&) { return makeBool(m_off == 0); });
    native("_has_function_override", [this](Evaluator& e, Values& args, NamedValues&) {
        return makeBool(m_off == 0 && overrideOf(e, args.at(0)));
    });
    evaluator.builtins().set(
        "_disabled_torch_function_impl",
        makeNative("torch._C._disabled_torch_function_impl", [](Evaluator& e, Values& args, NamedValues&) {
            NamedValues named; // (self, function, types, args, kwargs)
            if (const auto* dict = args.size() > 4 ? plainOf(args[4]).as<DictObject>() : nullptr)
                for (const DictObject::Entry& entry : dict->entries())
                    named.emplace_back(entry.key.text(), entry.value);
            return e.call(args.at(1), e.items(args.at(3)), std::move(named));
        }));
}

} // namespace fx
