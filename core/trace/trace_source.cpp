// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_source.h"

#include "core/base/text.h"
#include "core/python/types/builtin_functions.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/trace/meta_tracer.h"
#include "core/trace/model_builders.h"
#include "core/trace/model_sources.h"
#include "core/trace/record_module.h"
#include "core/trace/source_tracer.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace fx {

namespace {

struct Session {
    TorchHosts torch;
    TracingHost tracing{torch};
    Evaluator evaluator;
    explicit Session(const EvaluationLimits& limits = {}) : evaluator(limits) {
        torch.addTo(evaluator);
        tracing.addTo(evaluator);
    }
};

bool isModuleClass(const Value& value) {
    const auto* type = value.as<ClassObject>();
    return type && type->data->isModule();
}

std::string moduleNameOf(const std::string& path) {
    return std::filesystem::path(path).stem().string();
}

std::vector<std::string> identifiersIn(const std::string& expression) {
    std::vector<std::string> out(1);
    for (const char c : expression) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            out.back() += c;
        else if (!out.back().empty())
            out.emplace_back();
    }
    return out;
}

/// The names that an expression has in a module, which may be an instance of a class of its own: it answers
/// for its names one by one. A package has those of its `models`, too: "torchvision:resnet50()".
Value namesIn(Evaluator& evaluator, const Value& module, const std::string& expression) {
    const auto* source = module.as<SourceModuleObject>();
    if (source && !evaluator.findAttribute(module, "__path__"))
        return source->dict;
    const std::optional<Value> models = evaluator.findAttribute(module, "models");
    DictObject names = source ? *source->dict.as<DictObject>() : DictObject();
    names.set(evaluator.attribute(module, "__name__").text(), module);
    for (const std::string& word : identifiersIn(expression))
        for (const std::optional<Value>& owner : {std::optional(module), models})
            if (owner && !names.find(word))
                if (std::optional<Value> found = evaluator.findAttribute(*owner, word))
                    names.set(word, std::move(*found));
    return Object{std::move(names)};
}

Value evaluateIn(Evaluator& evaluator, const Value& module, const std::string& text,
                 const std::string& place) {
    return evaluator.evaluate(parseExpressionSource(text, place), namesIn(evaluator, module, text));
}

/// The GraphModule of a Graph that the source has traced: "MyTracer().trace(Net())".
Value withModule(Evaluator& evaluator, const Value& value) {
    const std::optional<Value> root =
        graphHandle(value) ? evaluator.findAttribute(value, "_fx_root") : std::nullopt;
    if (!root)
        return value;
    return evaluator.call(classOfFx(evaluator, "torch.fx.graph_module", "GraphModule"), {*root, value});
}

/// Whether a graph that the source has traced itself is to be traced once more.
bool tracesAgain(const SourceRequest& request) {
    return !request.tracerExpression.empty() || !request.concrete.empty() || !request.concreteTuple.empty() ||
           !request.leaves.empty() || !request.wrapped.empty();
}

/// --tracer's class or instance, by what the source calls it or as MODULE:NAME; None where there is none.
Value tracerOf(Evaluator& evaluator, const Value& module, const std::string& text) {
    if (text.empty())
        return {};
    const size_t colon = text.find(':');
    const std::string name = colon == std::string::npos ? "" : text.substr(colon + 1);
    Value tracer = isIdentifier(name)
                       ? evaluator.attribute(evaluator.modules().importModule(text.substr(0, colon)), name)
                       : evaluateIn(evaluator, module, text, "--tracer");
    if (tracer.as<ClassObject>())
        tracer = evaluator.call(tracer);
    const Value base = evaluator.attribute(evaluator.modules().importModule("torch.fx"), "Tracer");
    if (!evaluator.isInstance(tracer, base))
        throw Error("--tracer", '\'' + text + "' gives a " + typeName(tracer) + ", not a torch.fx.Tracer");
    return tracer;
}

/// What --tracer meta is given: a dict by the names of arguments.
Value metaArgumentsOf(Evaluator& evaluator, const Value& module, const SourceRequest& request) {
    const Value torch = evaluator.modules().importModule("torch");
    DictObject out;
    for (const auto& [name, text] : request.metaArguments) {
        const Value names = Object{DictObject(*namesIn(evaluator, module, text).as<DictObject>())};
        for (const std::string& word : identifiersIn(text))
            if (!names.as<DictObject>()->find(word) && !evaluator.builtins().find(word))
                if (std::optional<Value> found = evaluator.findAttribute(torch, word))
                    names.as<DictObject>()->set(word, std::move(*found));
        out.set(name, evaluator.evaluate(parseExpressionSource(text, "--meta-args " + name), names));
    }
    return Object{std::move(out)};
}

std::shared_ptr<Tracer> makeTracer(Evaluator& evaluator, const Value& module, const SourceRequest& request) {
    if (request.tracerExpression == kMetaTracer) {
        auto tracer = std::make_shared<MetaTracer>(&evaluator, metaArgumentsOf(evaluator, module, request));
        tracer->setOptions(request.tracer);
        return tracer;
    }
    if (!request.metaArguments.empty())
        throw Error("--meta-args", "means nothing without --tracer meta");
    auto tracer =
        std::make_shared<SourceTracer>(&evaluator, tracerOf(evaluator, module, request.tracerExpression));
    tracer->setOptions(request.tracer);
    return tracer;
}

Value concreteOf(Evaluator& evaluator, const Value& module, const SourceRequest& request) {
    if (request.concreteTuple.empty() && request.concrete.empty())
        return {};
    std::string texts = request.concreteTuple;
    for (const auto& [name, text] : request.concrete)
        texts += ' ' + text;
    const Value names = Object{DictObject(*namesIn(evaluator, module, texts).as<DictObject>())};
    names.as<DictObject>()->set("PH",
                                evaluator.attribute(evaluator.modules().importModule("torch.fx"), "PH"));
    if (!request.concreteTuple.empty())
        return evaluator.evaluate(parseExpressionSource(request.concreteTuple, "--concrete-args"), names);
    DictObject byName;
    for (const auto& [name, text] : request.concrete)
        byName.set(name, evaluator.evaluate(parseExpressionSource(text, "--concrete-args " + name), names));
    return Object{std::move(byName)};
}

/// Imports that could not be done as they are, in few lines: a model may need nothing of them.
void noteLeftOut(const std::vector<std::string>& leftOut, std::vector<std::string>& notes) {
    constexpr size_t kMost = 3;
    notes.insert(notes.end(), leftOut.begin(), leftOut.begin() + std::min(kMost, leftOut.size()));
    if (leftOut.size() > kMost)
        notes.push_back("of imported modules " + std::to_string(leftOut.size() - kMost) +
                        " more statements were left out");
}

/// Runs the source, and gives the module that it is.
Value runSource(Evaluator& evaluator, const SourceRequest& request) {
    for (const std::string& folder : request.packageFolders)
        evaluator.modules().finder().addInstalled(folder);
    evaluator.modules().finder().setInstalled(request.installed);
    if (request.loadBeside)
        evaluator.builtins().set(
            "_load_beside", makeNative("_load_beside", [&request](Evaluator& e, Values& args, NamedValues&) {
                requireArguments("_load_beside", args, 1, 1);
                return request.loadBeside(e, e.str(args[0]));
            }));
    if (!request.text)
        return evaluator.modules().importFile(request.path, moduleNameOf(request.path));
    const Value module = evaluator.modules().runModule(parseSource(request.prelude, "<prelude>"), "__main__");
    evaluator.evaluate(parseSource(*request.text, request.path), module.as<SourceModuleObject>()->dict);
    return module;
}

} // namespace

std::vector<std::string> modelsIn(const SourceRequest& request) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    Session session(request.limits);
    return modelExpressions(session.evaluator, runSource(session.evaluator, request));
}

void wrapNames(Tracer& tracer, Evaluator& evaluator, const Value& names,
               const std::vector<std::string>& wrapped) {
    for (const std::string& name : wrapped) {
        const std::string first = name.substr(0, name.find('.'));
        if (!names.as<DictObject>()->find(first) && evaluator.builtins().find(name)) {
            tracer.wrapped().add(names, name);
            continue;
        }
        const Value found = evaluator.evaluate(parseExpressionSource(name, "--wrap"), names);
        if (const auto* module = found.as<SourceModuleObject>())
            tracer.wrapped().addModule(module->dict);
        else if (isCallable(evaluator, found))
            tracer.wrapped().addEverywhere(found);
        else
            throw Error("--wrap", '\'' + name + "' is a " + typeName(found) +
                                      ", not a function or a module of functions");
    }
}

Traced traceSource(const SourceRequest& request) {
    const KeptModes kept; // and the source begins with gradients, as in Python
    at::GradMode::set_enabled(true);
    at::manual_seed(request.seed);
    Session session(request.limits);
    Evaluator& evaluator = session.evaluator;
    Traced out;
    guarded([&] {
        const Value module = runSource(evaluator, request);
        std::string expression = request.expression;
        if (expression.empty()) {
            const std::vector<std::string> found = modelExpressions(evaluator, module);
            if (found.empty())
                throw Error(request.path, "defines no torch.nn.Module and no function");
            if (found.size() > 1)
                throw Error(request.path, "defines several models")
                    .hint("say which, such as " + request.path + ':' + found[0] + "; it has " +
                          shortList(found));
            expression = found[0];
        }
        const Value model =
            withModule(evaluator, evaluateIn(evaluator, module, expression,
                                             request.text ? request.path : '\'' + expression + '\''));
        if (isModuleClass(model))
            throw Error('\'' + expression + '\'', "is a class, not a model")
                .hint("give the call that makes one, such as " + request.path + ':' + expression + "()");
        if (!isModuleInstance(model) && !model.as<DefinedObject>())
            throw Error('\'' + expression + '\'',
                        "gives a " + typeName(model) + ", not a torch.nn.Module or a function");
        if (request.state) {
            if (!isModuleInstance(model))
                throw Error('\'' + expression + '\'', "is a function, it has no state to load");
            loadState(evaluator, model, *request.state);
        }
        if (request.isTraining && isModuleInstance(model))
            evaluator.callMethod(model, "train", {c10::IValue(*request.isTraining)});
        if (isGraphModule(evaluator, model) && !tracesAgain(request)) {
            out.model = recordModule(evaluator, model).model;
            noteLeftOut(evaluator.modules().leftOut(), out.notes);
            keepSources(evaluator, out.model);
            return;
        }
        const std::shared_ptr<Tracer> tracer = makeTracer(evaluator, module, request);
        const Value concrete = concreteOf(evaluator, module, request);
        if (const std::optional<Value> graph = tracer->traceByProgram(model, concrete)) {
            if (!request.leaves.empty() || !request.wrapped.empty())
                throw Error(request.leaves.empty() ? "--wrap" : "--leaf",
                            "means nothing for a tracer with a trace() of its own");
            const Value made = evaluator.call(classOfFx(evaluator, "torch.fx.graph_module", "GraphModule"),
                                              {evaluator.attribute(tracer->instance(), "root"), *graph});
            out.model = recordModule(evaluator, made).model;
            noteLeftOut(evaluator.modules().leftOut(), out.notes);
            keepSources(evaluator, out.model);
            return;
        }
        tracer->setLeaves(request.leaves);
        tracer->setKeepsPartial(request.keepsPartial);
        wrapNames(*tracer, evaluator, namesIn(evaluator, module, join(request.wrapped, " ")),
                  request.wrapped);
        out = tracer->trace(model, concrete);
        noteLeftOut(evaluator.modules().leftOut(), out.notes);
        keepSources(evaluator, out.model);
    });
    return out;
}

} // namespace fx
