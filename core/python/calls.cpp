// SPDX-License-Identifier: GPL-3.0-or-later
// Calling: binding arguments to parameters, functions, methods, classes, instances.
#include "core/base/text.h"
#include "core/python/walker.h"

#include <algorithm>

namespace fx {

namespace {

using ParameterKind = FunctionTree::Parameter::Kind;

/// "'a' and 'b'", "'a', 'b', and 'c'".
std::string quotedList(const std::vector<std::string>& names) {
    std::string out;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            out += names.size() > 2 ? (i + 1 == names.size() ? ", and " : ", ") : " and ";
        out += '\'' + names[i] + '\'';
    }
    return out;
}

[[noreturn]] void missing(const std::string& function, const std::vector<std::string>& names,
                          const char* sort) {
    raise("TypeError", function + "() missing " + std::to_string(names.size()) + " required " + sort +
                           " argument" + (names.size() == 1 ? "" : "s") + ": " + quotedList(names));
}

[[noreturn]] void tooMany(const DefinedFunction& function, size_t given, size_t keywordOnly) {
    size_t most = 0, least = 0;
    for (size_t i = 0; i < function.tree->parameters.size(); ++i) {
        const FunctionTree::Parameter& p = function.tree->parameters[i];
        if (p.kind == ParameterKind::Positional || p.kind == ParameterKind::PositionalOnly) {
            ++most;
            least += function.defaults[i] ? 0 : 1;
        }
    }
    const std::string takes = least == most ? std::to_string(most)
                                            : "from " + std::to_string(least) + " to " + std::to_string(most);
    const bool isPlural = most != 1 || least != most;
    std::string text = function.qualifiedName + "() takes " + takes + " positional argument" +
                       (isPlural ? "s" : "") + " but " + std::to_string(given);
    if (keywordOnly > 0)
        text += std::string(" positional argument") + (given == 1 ? "" : "s") + " (and " +
                std::to_string(keywordOnly) + " keyword-only argument" + (keywordOnly == 1 ? "" : "s") + ')';
    text += given == 1 && keywordOnly == 0 ? " was given" : " were given";
    raise("TypeError", text);
}

} // namespace

void Evaluator::bindArguments(const DefinedFunction& function, Frame& frame, Values& args,
                              NamedValues& kwargs) {
    const FunctionTree& tree = *function.tree;
    const auto put = [&](const FunctionTree::Parameter& parameter, Value value) {
        if (parameter.isCell)
            frame.cells[static_cast<size_t>(parameter.slot)].as<CellObject>()->value = std::move(value);
        else
            frame.locals[static_cast<size_t>(parameter.slot)] = std::move(value);
    };
    size_t next = 0;
    size_t used = 0, usedKeywordOnly = 0; // keywords that found their parameter
    std::vector<std::string> lacking, lackingKeywords;
    const FunctionTree::Parameter* rest = nullptr;
    const auto find = [&](const std::string& name) -> std::pair<std::string, Value>* {
        for (auto& entry : kwargs)
            if (entry.first == name)
                return &entry;
        return nullptr;
    };
    bool takesAny = false;
    for (size_t i = 0; i < tree.parameters.size(); ++i) {
        const FunctionTree::Parameter& parameter = tree.parameters[i];
        const bool isPositional =
            parameter.kind == ParameterKind::Positional || parameter.kind == ParameterKind::PositionalOnly;
        if (parameter.kind == ParameterKind::Args) {
            takesAny = true;
            Values extra(
                std::make_move_iterator(args.begin() + static_cast<ptrdiff_t>(std::min(next, args.size()))),
                std::make_move_iterator(args.end()));
            next = args.size();
            put(parameter, makeTuple(std::move(extra)));
            continue;
        }
        if (parameter.kind == ParameterKind::Kwargs) {
            rest = &parameter;
            continue;
        }
        auto* named = kwargs.empty() || parameter.kind == ParameterKind::PositionalOnly
                          ? nullptr
                          : find(parameter.name);
        if (isPositional && next < args.size()) {
            if (named)
                raise("TypeError", function.qualifiedName + "() got multiple values for argument '" +
                                       parameter.name + '\'');
            put(parameter, std::move(args[next++]));
        } else if (named) {
            put(parameter, std::move(named->second));
            named->first.clear();
            ++used;
            usedKeywordOnly += isPositional ? 0 : 1;
        } else if (function.defaults[i]) {
            put(parameter, *function.defaults[i]);
        } else {
            (isPositional ? lacking : lackingKeywords).push_back(parameter.name);
        }
    }
    if (used < kwargs.size() && !rest) {
        std::vector<std::string> positionalOnly;
        for (const FunctionTree::Parameter& parameter : tree.parameters)
            if (parameter.kind == ParameterKind::PositionalOnly && find(parameter.name))
                positionalOnly.push_back(parameter.name);
        if (!positionalOnly.empty())
            raise("TypeError", function.qualifiedName +
                                   "() got some positional-only arguments passed as keyword arguments: '" +
                                   join(positionalOnly, ", ") + '\'');
        for (const auto& [name, value] : kwargs)
            if (!name.empty())
                raise("TypeError",
                      function.qualifiedName + "() got an unexpected keyword argument '" + name + '\'');
    }
    if (next < args.size() && !takesAny)
        tooMany(function, args.size(), usedKeywordOnly);
    if (!lacking.empty())
        missing(function.qualifiedName, lacking, "positional");
    if (!lackingKeywords.empty())
        missing(function.qualifiedName, lackingKeywords, "keyword-only");
    if (rest) {
        DictObject dict;
        for (auto& [name, value] : kwargs)
            if (!name.empty())
                dict.set(name, std::move(value));
        put(*rest, Object{std::move(dict)});
    }
}

Value Evaluator::callDefined(const Value&, DefinedFunction& function, Values& args, NamedValues& kwargs) {
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
        bindArguments(function, frame, args, kwargs);
    };
    if (tree.isGenerator) {
        auto frame = std::make_unique<Frame>();
        prepare(*frame);
        return Object{GeneratorObject{std::make_shared<Generator>(*this, std::move(frame), function.name)}};
    }
    Frame frame;
    prepare(frame);
    const FrameScope scope(m_frames, frame);
    Walker walker(*this, frame);
    m_frames.guard(frame, [&] { walker.run(tree.body); });
    return std::move(walker.result());
}

Value Evaluator::callFlat(const Value& callee, Values values) {
    using Kind = FunctionTree::Parameter::Kind;
    const std::shared_ptr<DefinedFunction> function = callee.as<DefinedObject>()->function;
    const auto& parameters = function->tree->parameters;
    const bool isPlain = std::all_of(parameters.begin(), parameters.end(), [](const auto& p) {
        return p.kind == Kind::Positional || p.kind == Kind::PositionalOnly;
    });
    if (isPlain || values.size() != parameters.size()) {
        NamedValues none;
        return callDefined(callee, *function, values, none);
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
    const FrameScope scope(m_frames, frame);
    Walker walker(*this, frame);
    m_frames.guard(frame, [&] { walker.run(frame.tree->body); });
    return std::move(walker.result());
}

Value Evaluator::call(const Value& function, Values args, NamedValues kwargs) {
    if (const auto* defined = function.as<DefinedObject>()) {
        const std::shared_ptr<DefinedFunction> held = defined->function;
        return callDefined(function, *held, args, kwargs);
    }
    if (const auto* bound = function.as<BoundMethodObject>()) {
        args.insert(args.begin(), bound->self);
        return call(Value(bound->function), std::move(args), std::move(kwargs));
    }
    if (function.as<ClassObject>())
        return instantiate(function, args, kwargs);
    const auto* native = function.as<NativeObject>();
    ValueHost* host = native ? nullptr : hostOf(function);
    if (native || host)
        for (ValueHost* interceptor : m_hosts.interceptors())
            if (interceptor != host)
                if (std::optional<Value> answer = interceptor->interceptCall(*this, function, args, kwargs))
                    return std::move(*answer);
    if (native) {
        const Value held = function;
        return native->call(*this, args, kwargs);
    }
    if (host)
        return host->call(*this, function, std::move(args), std::move(kwargs));
    if (const auto* method = function.as<StaticMethodObject>())
        return call(Value(method->function), std::move(args), std::move(kwargs));
    if (const auto* alias = function.as<AliasObject>())
        return call(Value(alias->origin), std::move(args), std::move(kwargs));
    if (const auto* instance = function.as<InstanceObject>()) {
        const Value type = instance->type;
        static const TextKey kCall("__call__");
        if (const Value* dunder = classOf(type).find(kCall)) {
            // Looked up on the class, not on the instance.
            if (const auto* native = dunder->as<NativeObject>(); native && native->bindsSelf) {
                args.insert(args.begin(), function);
                return call(Value(*dunder), std::move(args), std::move(kwargs));
            }
            const Value bound = bindAttribute(*this, *dunder, function, type);
            return call(bound, std::move(args), std::move(kwargs));
        }
    }
    raise("TypeError", '\'' + typeName(function) + "' object is not callable");
}

std::string Evaluator::calledName(const Value& function) {
    const std::optional<Value> name = findAttribute(function, "__qualname__");
    if (!name || !name->isString())
        return str(function);
    const std::optional<Value> module = findAttribute(function, "__module__");
    const bool isShown = module && module->isString() && module->text() != "builtins";
    return (isShown ? module->text() + '.' : std::string()) + name->text() + "()";
}

void Evaluator::refuseSpread(const Value& function, const Value& given, bool isMapping) {
    raise("TypeError", calledName(function) + " argument after " +
                           (isMapping ? "** must be a mapping, not " : "* must be an iterable, not ") +
                           typeName(given));
}

Value Evaluator::callMethod(const Value& object, std::string_view name, Values args, NamedValues kwargs) {
    return call(attribute(object, std::string(name)), std::move(args), std::move(kwargs));
}

Value Evaluator::instantiate(const Value& type, Values& args, NamedValues& kwargs) {
    const std::shared_ptr<ClassData> data = type.as<ClassObject>()->data;
    // A metaclass may say what calling its classes means.
    if (const auto* meta = data->metaclass.as<ClassObject>())
        if (const Value* dunder = meta->data->find("__call__"); dunder && dunder->as<DefinedObject>())
            return call(bindAttribute(*this, *dunder, type, data->metaclass), std::move(args),
                        std::move(kwargs));
    return makeInstanceOf(type, args, kwargs);
}

/// type.__call__: __new__, then __init__ where __new__ gave an instance of the class.
Value Evaluator::makeInstanceOf(const Value& type, Values& args, NamedValues& kwargs) {
    const std::shared_ptr<ClassData> data = type.as<ClassObject>()->data;
    if (data->isBuiltin && data->construct)
        return data->construct(*this, type, args, kwargs);
    if (const Value* abstract = data->own("__abstractmethods__"); abstract && isTrue(*abstract)) {
        std::vector<std::string> names;
        for (const Value& name : items(*abstract))
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
        made = call(function, std::move(withType), kwargs);
        if (!classOf(typeOf(made)).isSubclassOf(data.get()))
            return made;
    } else if (data->payload && data->payload->construct) {
        // A subclass of a builtin type: its value is made by the builtin, unless __init__ takes the
        // arguments.
        const bool isMutable = data->payload->name == "dict" || data->payload->name == "list" ||
                               data->payload->name == "set" || data->payload->name == "bytearray";
        Values none;
        NamedValues noKeywords;
        const bool keepsArguments = isMutable && init && init->as<DefinedObject>();
        made = data->payload->construct(*this, type, keepsArguments ? none : args,
                                        keepsArguments ? noKeywords : kwargs);
        if (!made.as<InstanceObject>())
            made = makeInstance(type, made);
        if (!(init && init->as<DefinedObject>()))
            return made;
    } else {
        made = makeInstance(type);
        if (data->isSubclassOf(&classOf(this->type("BaseException"))))
            made.as<InstanceObject>()->dict.as<DictObject>()->set("args", makeTuple(args));
    }
    const bool isPlainObject = !init || init->as<NativeObject>();
    if (!isPlainObject) {
        const Value result =
            call(bindAttribute(*this, *init, made, type), std::move(args), std::move(kwargs));
        if (!result.isNone())
            raise("TypeError", "__init__() should return None, not '" + typeName(result) + '\'');
    } else if (init && init->as<NativeObject>() && init->as<NativeObject>()->name != "object.__init__") {
        call(bindAttribute(*this, *init, made, type), std::move(args), std::move(kwargs));
    } else if ((!args.empty() || !kwargs.empty()) && !hasMaker &&
               !data->isSubclassOf(&classOf(this->type("BaseException")))) {
        raise("TypeError", data->name + "() takes no arguments");
    }
    return made;
}

void requireArguments(const char* name, const Values& args, size_t least, size_t most) {
    if (args.size() >= least && args.size() <= most)
        return;
    const std::string given = std::to_string(args.size());
    if (least == most && most <= 1)
        raise("TypeError", std::string(name) + "() takes " +
                               (most == 0 ? "no arguments" : "exactly one argument") + " (" + given +
                               " given)");
    if (least == most)
        raise("TypeError",
              std::string(name) + " expected " + std::to_string(most) + " arguments, got " + given);
    const bool isFew = args.size() < least;
    const size_t bound = isFew ? least : most;
    raise("TypeError", std::string(name) + " expected at " + (isFew ? "least " : "most ") +
                           std::to_string(bound) + " argument" + (bound == 1 ? "" : "s") + ", got " + given);
}

void refuseKeywords(const char* name, const NamedValues& kwargs) {
    if (!kwargs.empty())
        raise("TypeError", std::string(name) + "() takes no keyword arguments");
}

std::optional<Value> takeKeyword(NamedValues& kwargs, std::string_view name) {
    const auto found =
        std::find_if(kwargs.begin(), kwargs.end(), [&](const auto& k) { return k.first == name; });
    if (found == kwargs.end())
        return std::nullopt;
    Value out = std::move(found->second);
    kwargs.erase(found);
    return out;
}

} // namespace fx
