// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/trace_script.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/values/value_text.h"
#include "core/trace/script/script_interpreter.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

/// What an argument is where an example of it is given: tensors have the sizes of those in the example,
/// which gives the length of lists, the keys of dicts, and what else is in them.
Value likeExample(ScriptTracer& tracer, ScriptInterpreter& interpreter, const Value& given,
                  const Value& example) {
    if (!holdsTensor(example))
        return example;
    if (example.isTensor()) {
        interpreter.setExample(given, example);
        return given;
    }
    const auto item = [&](const Value& key, const Value& like) {
        if (!holdsTensor(like))
            return like;
        const Value read = tracer.record(Opcode::CallFunction, "operator.getitem", {given, key});
        tracer.setErasable(tracer.nodeOf(read));
        return likeExample(tracer, interpreter, read, like);
    };
    if (const auto* dict = example.as<DictObject>()) {
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries())
            out.set(entry.key, item(entry.key, entry.value));
        return Object{std::move(out)};
    }
    const auto* sequence = example.as<SequenceObject>();
    Values items;
    for (size_t i = 0; sequence && i < sequence->items.size(); ++i)
        items.push_back(item(makeInt(static_cast<int64_t>(i)), sequence->items[i]));
    return sequence && sequence->isList ? makeList(std::move(items)) : makeTuple(std::move(items));
}

/// The argument's placeholder, and what the program sees of it. What torch.fx does with concrete_args.
Value argumentValue(ScriptTracer& tracer, ScriptInterpreter& interpreter, const c10::Argument& parameter,
                    const Value* concrete) {
    Values defaults;
    if (parameter.default_value())
        defaults.push_back(fromIValue(*parameter.default_value()));
    const std::string& name = parameter.name();
    if (!concrete || holdsTensor(*concrete)) {
        const Value out = tracer.recordPlaceholder(name, defaults);
        interpreter.setType(out, parameter.type());
        if (concrete && !concrete->isTensor())
            tracer.note("the length of the argument " + name + " is fixed, and the graph does not check it");
        return concrete ? likeExample(tracer, interpreter, out, *concrete) : out;
    }
    const Value out = tracer.recordPlaceholder(name + "_1", defaults);
    if (concrete->isNone()) {
        tracer.record(
            Opcode::CallFunction, "torch.fx._symbolic_trace._assert_is_none",
            {out, makeText(name + " has been specialized to have value None but got another value")});
    } else if (concrete->isBool() || concrete->isInt() || concrete->isDouble() || concrete->isString()) {
        const std::optional<Argument> plain = plainArgument(*concrete);
        std::string text = concrete->isString() ? concrete->text()
                           : concrete->isBool() ? (concrete->data().toBool() ? "True" : "False")
                           : concrete->isInt()  ? std::to_string(concrete->data().toInt())
                                                : pythonFloat(concrete->data().toDouble());
        const Value isSame = tracer.record(Opcode::CallFunction, "operator.eq", {out, *concrete});
        tracer.record(Opcode::CallFunction, "torch._assert",
                      {isSame, makeText(name + " has been specialized to have value " + text +
                                        " but got another value")});
    } else {
        tracer.note("the argument " + name + " is fixed, and the graph does not check it");
    }
    return *concrete;
}

Traced trace(const torch::jit::Module& module, const ScriptRequest& request) {
    const auto forward = module.find_method("forward");
    if (!forward) {
        std::vector<std::string> names;
        for (const auto& method : module.get_methods())
            names.push_back(method.name());
        throw Error("", "the program has no method `forward`" +
                            (names.empty() ? std::string() : ", only " + join(names, ", ")));
    }
    ScriptTracer tracer(module);
    tracer.setNoLeaves(request.areNoneLeaves);
    tracer.setLeafTypes(request.leaves);
    ScriptInterpreter interpreter(tracer);
    const auto& parameters = forward->function().getSchema().arguments();
    for (const auto& [name, value] : request.concrete)
        if (std::none_of(parameters.begin(), parameters.end(),
                         [&](const c10::Argument& p) { return p.name() == name; }))
            throw Error("", "the program has no argument '" + name + '\'');
    if (!request.concreteByPosition.empty() && request.concreteByPosition.size() != parameters.size() - 1)
        raise("RuntimeError", "Tracing expected " + std::to_string(parameters.size() - 1) +
                                  " arguments but got " + std::to_string(request.concreteByPosition.size()) +
                                  " concrete arguments");
    Values args{c10::IValue(module._ivalue())};
    for (size_t i = 1; i < parameters.size(); ++i) {
        const Value* concrete =
            request.concreteByPosition.empty() ? nullptr : &request.concreteByPosition[i - 1];
        for (const auto& [name, value] : request.concrete)
            if (name == parameters[i].name())
                concrete = &value;
        args.push_back(argumentValue(tracer, interpreter, parameters[i], concrete));
    }
    tracer.recordOutput(interpreter.run(forward->function(), std::move(args)));
    tracer.removeUnread();
    tracer.copyModel();
    return tracer.take();
}

} // namespace

Traced traceScript(torch::jit::Module module, const ScriptRequest& request) {
    const at::NoGradGuard noGrad;
    try {
        if (request.state)
            loadState(module, *request.state);
        if (request.isTraining)
            module.train(*request.isTraining);
        return trace(module, request);
    } catch (const c10::Error& error) {
        throw Error("", error.what_without_backtrace());
    } catch (const std::bad_alloc&) {
        throw Error("", "not enough memory");
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw Error("", error.what());
    }
}

} // namespace fx
