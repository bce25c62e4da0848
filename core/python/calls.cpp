// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/calls.h"

#include "core/base/text.h"
#include "core/python/evaluator.h"
#include "core/python/walker.h"

#include <algorithm>

namespace fx {

static Value callDefined(Evaluator& evaluator, const DefinedFunction& function, Values& args,
                         NamedValues& kwargs) {
    const FunctionTree& tree = *function.tree;
    const auto prepare = [&](Frame& frame) {
        frame.file = function.file;
        frame.tree = &tree;
        frame.module = function.module;
        frame.globals = function.globals;
        frame.locals.resize(tree.locals.size());
        frame.cells.reserve(tree.cells.size() + function.cells.size());
        for (size_t i = 0; i < tree.cells.size(); ++i)
            frame.cells.push_back(Object{CellObject{}});
        frame.cells.insert(frame.cells.end(), function.cells.begin(), function.cells.end());
        frame.position = tree.begin;
        frame.recordsAsserts = function.recordsAsserts;
        bindArguments(function, frame, args, kwargs);
    };
    if (tree.isGenerator) {
        auto frame = std::make_unique<Frame>();
        prepare(*frame);
        return Object{
            GeneratorObject{std::make_shared<Generator>(evaluator, std::move(frame), function.name)}};
    }
    Frame frame;
    prepare(frame);
    const FrameScope scope(evaluator.frames(), frame);
    Walker walker(evaluator, frame);
    evaluator.frames().guard(frame, [&] { walker.run(tree.body); });
    return std::move(walker.result());
}

Value callFlat(Evaluator& evaluator, const Value& callee, Values values) {
    using Kind = FunctionTree::Parameter::Kind;
    const std::shared_ptr<DefinedFunction> function = callee.as<DefinedObject>()->function;
    const auto& parameters = function->tree->parameters;
    const bool isPlain = std::all_of(parameters.begin(), parameters.end(), [](const auto& p) {
        return p.kind == Kind::Positional || p.kind == Kind::PositionalOnly;
    });
    if (isPlain || values.size() != parameters.size()) {
        NamedValues none;
        return callDefined(evaluator, *function, values, none);
    }
    // As if all were plain parameters: *args takes its value as it is.
    Frame frame;
    frame.file = function->file;
    frame.tree = function->tree;
    frame.module = function->module;
    frame.globals = function->globals;
    frame.locals.resize(frame.tree->locals.size());
    for (size_t i = 0; i < frame.tree->cells.size(); ++i)
        frame.cells.push_back(Object{CellObject{}});
    frame.cells.insert(frame.cells.end(), function->cells.begin(), function->cells.end());
    frame.position = frame.tree->begin;
    size_t next = 0;
    for (const auto& kinds :
         {std::pair(Kind::PositionalOnly, Kind::Positional), std::pair(Kind::KeywordOnly, Kind::KeywordOnly),
          std::pair(Kind::Args, Kind::Args), std::pair(Kind::Kwargs, Kind::Kwargs)})
        for (const FunctionTree::Parameter& p : parameters) {
            if (p.kind != kinds.first && p.kind != kinds.second)
                continue;
            const auto slot = static_cast<size_t>(p.slot);
            if (p.isCell)
                frame.cells[slot].as<CellObject>()->value = std::move(values[next++]);
            else
                frame.locals[slot] = std::move(values[next++]);
        }
    const FrameScope scope(evaluator.frames(), frame);
    Walker walker(evaluator, frame);
    evaluator.frames().guard(frame, [&] { walker.run(frame.tree->body); });
    return std::move(walker.result());
}

static Value instantiate(Evaluator& evaluator, const Value& type, Values& args, NamedValues& kwargs) {
    const std::shared_ptr<ClassData> data = type.as<ClassObject>()->data;
    // A metaclass may say what calling its classes means.
    if (const auto* meta = data->metaclass.as<ClassObject>())
        if (const Value* dunder = meta->data->find("__call__"); dunder && dunder->as<DefinedObject>())
            return evaluator.call(bindAttribute(evaluator, *dunder, type, data->metaclass), std::move(args),
                                  std::move(kwargs));
    return makeInstanceOf(evaluator, type, args, kwargs);
}

/// What a host other than the function's own gives in the place of the call.
static std::optional<Value> intercepted(Evaluator& evaluator, const ValueHost* own, const Value& function,
                                        Values& args, NamedValues& kwargs) {
    for (size_t i = 0; i < evaluator.hosts().interceptors().size(); ++i) // to which a call may add one
        if (ValueHost* interceptor = evaluator.hosts().interceptors()[i]; interceptor != own)
            if (std::optional<Value> answer = interceptor->interceptCall(evaluator, function, args, kwargs))
                return answer;
    return std::nullopt;
}

Value callValue(Evaluator& evaluator, const Value& function, Values&& args, NamedValues&& kwargs) {
    if (const auto* defined = function.as<DefinedObject>()) {
        const std::shared_ptr<DefinedFunction> held = defined->function;
        return callDefined(evaluator, *held, args, kwargs);
    }
    if (const auto* bound = function.as<BoundMethodObject>()) {
        args.insert(args.begin(), bound->self);
        return callValue(evaluator, Value(bound->function), std::move(args), std::move(kwargs));
    }
    if (const auto* type = function.as<ClassObject>()) {
        const bool mayBeRecorded = type->data->isBuiltin && args.size() == 1 && args[0].as<ProxyObject>();
        if (std::optional<Value> answer =
                mayBeRecorded ? intercepted(evaluator, nullptr, function, args, kwargs) : std::nullopt)
            return std::move(*answer);
        return instantiate(evaluator, function, args, kwargs);
    }
    const auto* native = function.as<NativeObject>();
    // Of an instance its class says what calling it means.
    ValueHost* host = native || function.as<InstanceObject>() ? nullptr : evaluator.hostOf(function);
    if (native || host)
        if (std::optional<Value> answer = intercepted(evaluator, host, function, args, kwargs))
            return std::move(*answer);
    if (native) {
        const Value held = function;
        return native->call(evaluator, args, kwargs);
    }
    if (host)
        return host->call(evaluator, function, std::move(args), std::move(kwargs));
    if (const auto* method = function.as<StaticMethodObject>())
        return callValue(evaluator, Value(method->function), std::move(args), std::move(kwargs));
    if (const auto* alias = function.as<AliasObject>())
        return callValue(evaluator, Value(alias->origin), std::move(args), std::move(kwargs));
    if (const auto* instance = function.as<InstanceObject>()) {
        const Value type = instance->type;
        static const TextKey kCall("__call__");
        if (const Value* dunder = evaluator.classOf(type).find(kCall)) {
            // Looked up on the class, not on the instance.
            if (const auto* native = dunder->as<NativeObject>(); native && native->bindsSelf) {
                args.insert(args.begin(), function);
                return callValue(evaluator, Value(*dunder), std::move(args), std::move(kwargs));
            }
            const Value bound = bindAttribute(evaluator, *dunder, function, type);
            return callValue(evaluator, bound, std::move(args), std::move(kwargs));
        }
    }
    raise("TypeError", '\'' + typeName(function) + "' object is not callable");
}

std::string calledName(Evaluator& evaluator, const Value& function) {
    const std::optional<Value> name = evaluator.findAttribute(function, "__qualname__");
    if (!name || !name->isString())
        return evaluator.str(function);
    const std::optional<Value> module = evaluator.findAttribute(function, "__module__");
    const bool isShown = module && module->isString() && module->text() != "builtins";
    return (isShown ? module->text() + '.' : std::string()) + name->text() + "()";
}

void refuseSpread(Evaluator& evaluator, const Value& function, const Value& given, bool isMapping) {
    raise("TypeError", calledName(evaluator, function) + " argument after " +
                           (isMapping ? "** must be a mapping, not " : "* must be an iterable, not ") +
                           typeName(given));
}

/// type.__call__: __new__, then __init__ where __new__ gave an instance of the class.
Value makeInstanceOf(Evaluator& evaluator, const Value& type, Values& args, NamedValues& kwargs) {
    const std::shared_ptr<ClassData> data = type.as<ClassObject>()->data;
    if (data->isBuiltin && data->construct)
        return data->construct(evaluator, type, args, kwargs);
    if (const Value* abstract = data->own("__abstractmethods__"); abstract && evaluator.isTrue(*abstract)) {
        std::vector<std::string> names;
        for (const Value& name : evaluator.items(*abstract))
            names.push_back(name.text());
        std::sort(names.begin(), names.end());
        raise("TypeError", "Can't instantiate abstract class " + data->name + " with abstract method" +
                               (names.size() == 1 ? " " : "s ") + join(names, ", "));
    }
    const Value* init = data->find("__init__");
    Value made;
    const Value* maker = data->find("__new__");
    const Value function = !maker                            ? Value()
                           : maker->as<StaticMethodObject>() ? maker->as<StaticMethodObject>()->function
                                                             : *maker;
    const auto* native = function.as<NativeObject>();
    const bool hasMaker = function.as<DefinedObject>() || (native && native->name == "type.__new__");
    if (hasMaker) {
        Values withType = args;
        withType.insert(withType.begin(), type);
        made = evaluator.call(function, std::move(withType), kwargs);
        if (!evaluator.classOf(evaluator.typeOf(made)).isSubclassOf(data.get()))
            return made;
    } else if (data->payload && data->payload->construct) {
        // A subclass of a builtin type: its value is made by the builtin, unless __init__ takes the
        // arguments.
        Values none;
        NamedValues noKeywords;
        const bool keepsArguments = data->payload->isFilledByInit && init && init->as<DefinedObject>();
        made = data->payload->construct(evaluator, type, keepsArguments ? none : args,
                                        keepsArguments ? noKeywords : kwargs);
        if (!made.as<InstanceObject>())
            made = makeInstance(type, made);
        if (!(init && init->as<DefinedObject>()))
            return made;
    } else {
        made = makeInstance(type);
        if (data->isSubclassOf(&evaluator.classOf(evaluator.type("BaseException"))))
            made.as<InstanceObject>()->dict.as<DictObject>()->set("args", makeTuple(args));
    }
    const bool isPlainObject = !init || init->as<NativeObject>();
    if (!isPlainObject) {
        const Value result =
            evaluator.call(bindAttribute(evaluator, *init, made, type), std::move(args), std::move(kwargs));
        if (!result.isNone())
            raise("TypeError", "__init__() should return None, not '" + typeName(result) + '\'');
    } else if (init && init->as<NativeObject>() && init->as<NativeObject>()->name != "object.__init__") {
        evaluator.call(bindAttribute(evaluator, *init, made, type), std::move(args), std::move(kwargs));
    } else if ((!args.empty() || !kwargs.empty()) && !hasMaker &&
               !data->isSubclassOf(&evaluator.classOf(evaluator.type("BaseException")))) {
        raise("TypeError", data->name + "() takes no arguments");
    }
    return made;
}

} // namespace fx
