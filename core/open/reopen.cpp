// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/reopen.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/source_modules.h"
#include "core/io/torch/state_dict.h"
#include "core/module/edit.h"
#include "core/open/reopen_session.h"
#include "core/torch/bind/call.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

/// What a source of classes mostly imports; a legacy file keeps the text of each class alone.
constexpr const char* kUsualImports = "import math\n"
                                      "from collections import OrderedDict\n"
                                      "from typing import Any, Callable, Dict, List, Optional, Tuple, Union\n"
                                      "import torch\n"
                                      "import torch.nn as nn\n"
                                      "import torch.nn.functional as F\n"
                                      "from torch import Tensor\n";

/// The name under which module.py runs.
constexpr const char* kFolderModule = "module";

std::string onOneLine(std::string text) {
    return replaceAll(std::move(text), "\n", " ");
}

/// The classes below a module whose text the file holds, each once, those used last first.
void collectSources(const PickledModule& module, std::vector<const PickledModule*>& out,
                    std::set<std::string>& seen, std::set<const PickledModule*>& visited) {
    if (!visited.insert(&module).second)
        return;
    for (const PickledModule::Child& child : module.children)
        if (child.module)
            collectSources(*child.module, out, seen, visited);
    const bool isForeign = !module.source.empty() && !module.className.starts_with("torch.");
    if (isForeign && seen.insert(module.source).second)
        out.push_back(&module);
}

std::string sourcesIn(const PickledModule& root) {
    std::vector<const PickledModule*> modules;
    std::set<std::string> seen;
    std::set<const PickledModule*> visited;
    collectSources(root, modules, seen, visited);
    std::string out;
    for (const PickledModule* module : modules)
        out += '\n' + module->source;
    return out.empty() ? out : kUsualImports + out;
}

/// Modules below the root that have a graph of their own, with the first path of each.
void collectGraphs(const PickledModule& module, const std::string& path,
                   std::vector<std::pair<std::string, const PickledModule*>>& out,
                   std::set<const PickledModule*>& visited) {
    for (const PickledModule::Child& child : module.children) {
        if (!child.module || !visited.insert(child.module.get()).second)
            continue;
        const std::string below = path.empty() ? child.name : path + '.' + child.name;
        collectGraphs(*child.module, below, out, visited);
        if (child.module->graph)
            out.emplace_back(below, child.module.get());
    }
}

/// Gives a module of the model the graph that was traced from the same module by itself.
///   before  sub: Module        after  sub: GraphModule with a graph
void graftGraph(Model& model, const std::string& path, const Model& traced) {
    const ModuleId old = model.resolve(model.root(), path).module;
    if (!old || model.module(old).graph)
        return;
    Edit edit(model);
    const ModuleId made = edit.createModule(model.module(old).type, true);
    edit.addSubmodule(path, made);
    edit.enter(made);
    const Module before = model.module(old);
    for (const NamedModule& child : before.children)
        edit.addSubmodule(child.name, child.module);
    for (const NamedTensor& entry : before.tensors)
        edit.setTensor(entry.name, entry.tensor, entry.role);
    for (const NamedValue& entry : before.values)
        edit.setValue(entry.name, entry.value);
    edit.setTraining(before.isTraining);
    for (const NamedTensor& entry : traced.module(traced.root()).tensors) // constants that tracing found
        if (entry.tensor && !model.module(made).tensor(entry.name))
            edit.setTensor(entry.name, edit.createTensor(traced.tensor(entry.tensor)), entry.role);
    NodeMap map;
    if (const std::optional<Argument> result = edit.graphCopy(traced.graph(), map))
        edit.output(*result);
    edit.finish();
}

/// Code that torch.fx writes has no loops: what it does is bounded by its length. Beside it, torch.nn's own
/// text runs once. A source that the user names may do more.
EvaluationLimits limitsFor(uint64_t codeSize, const TraceOptions& options,
                           const std::vector<SourceText>& sources = {}) {
    EvaluationLimits out;
    if (options.sourceFile.empty() && options.packageFolders.empty() && sources.empty()) {
        out.steps = 1'000'000 + 50 * codeSize;
        out.bytes = uint64_t(256) << 20;
    }
    return out;
}

class PickleReopener {
public:
    PickleReopener(const PickledModel& pickled, const TraceOptions& options,
                   const std::vector<SourceText>& sources)
        : m_pickled(pickled), m_options(options), m_place(pickled.container->place()),
          m_session(limitsFor(pickled.container->document().length, options, sources)), m_sources(sources),
          m_objects(
              m_session.evaluator(), *pickled.container,
              [this](const std::string& name) { return m_session.findClass(name); },
              [this](const PickleValue& value) {
                  return m_session.compile(*pickledGraph(value, m_place), m_place + ": code");
              }) {
        m_sources.addTo(m_session.evaluator());
        std::vector<std::string> names;
        for (const SourceText& source : sources)
            names.push_back(source.module);
        m_session.addModules(std::move(names));
    }

    OpenedModel open() {
        OpenedModel out = modelOfPickle(m_pickled);
        try {
            guarded([&] {
                m_session.prepare();
                trace(out);
            });
        } catch (const Error& error) {
            const bool isGraph = m_pickled.root->graph.has_value();
            const std::string place = error.place().empty() ? "" : error.place() + ": ";
            out.whyNoGraph = {(isGraph ? "its code cannot be traced: " : "it cannot be traced: ") + place +
                                  error.message(),
                              error.advice().empty() ? out.whyNoGraph.advice : error.advice()};
        }
        return out;
    }

private:
    void trace(OpenedModel& out) {
        const PickledModule& root = *m_pickled.root;
        m_session.addPackages(m_options.packageFolders);
        if (!m_options.sourceFile.empty())
            m_session.runSource(m_options.sourceFile);
        else if (const std::string sources = root.graph ? std::string() : sourcesIn(root); !sources.empty())
            m_session.runSource(sources, m_place + ": source");
        const bool usesOwnSources =
            m_options.sourceFile.empty() && !root.graph && !foreignClasses(root).empty();
        const Value model = m_objects.make(*m_pickled.root->record);
        requireClasses();
        std::vector<std::string> notes = out.notes;
        Traced traced = m_session.trace(model, m_options, root.graph.has_value(), notes);
        notes.insert(notes.end(), traced.notes.begin(), traced.notes.end());
        traceNested(traced.model, notes);
        if (usesOwnSources)
            notes.push_back("the classes are read from the copy of their source that the file keeps");
        addNotes(notes);
        out.model = std::move(traced.model);
        out.notes = std::move(notes);
        out.whyNoGraph = {};
    }

    /// A module of a class that nobody defines has no forward.
    void requireClasses() {
        const PickledModule& root = *m_pickled.root;
        if (root.graph)
            return;
        for (const std::string& name : foreignClasses(root))
            if (!m_session.findClass(name)) {
                if (m_options.sourceFile.empty())
                    throw Error("", "the file names the class " + name + " and does not hold its code")
                        .hint("give the source: fxscope graph " + m_place +
                              " --source FILE.py, or the folder of its package: --path DIR");
                throw Error(m_options.sourceFile, "defines no class " + name.substr(name.rfind('.') + 1) +
                                                      ", which the file has as " + name);
            }
    }

    void traceNested(Model& model, std::vector<std::string>& notes) {
        std::vector<std::pair<std::string, const PickledModule*>> graphs;
        std::set<const PickledModule*> visited;
        collectGraphs(*m_pickled.root, "", graphs, visited);
        for (const auto& [path, module] : graphs) {
            if (!model.resolve(model.root(), path).module)
                continue; // not kept, because the graph does not use it
            try {
                std::vector<std::string> ignored;
                const Value instance = m_objects.make(*module->record);
                const Traced traced = m_session.trace(instance, {}, true, ignored);
                graftGraph(model, path, traced.model);
            } catch (const Error& error) {
                notes.push_back("the graph of " + path + " cannot be traced: " + onOneLine(error.what()));
            }
        }
    }

    void addNotes(std::vector<std::string>& notes) const {
        for (const std::string& name : m_pickled.hookFunctions)
            if (!m_session.findClass(name))
                notes.push_back("the hook " + name +
                                " is lost: give the source that defines it: --source FILE.py");
        if (const size_t count = m_session.inPlaceCount())
            notes.push_back(
                plural(count, "in-place operator") +
                " as the code has them; torch.fx itself makes them out-of-place when it loads the "
                "file (pytorch issue 198077)");
        if (!m_session.unknownFunctions().empty())
            notes.push_back("functions that the code imports and that are not here stay names: " +
                            join(m_session.unknownFunctions(), ", ") +
                            " (--path DIR or --source FILE.py says what they are)");
        const std::string tracer = m_pickled.root->graph ? m_pickled.root->graph->tracer : std::string();
        if (!tracer.empty() && tracer != "torch.fx._symbolic_trace.Tracer" &&
            tracer != "torch.fx.proxy.Tracer")
            notes.push_back("the graph was made by the tracer " + tracer +
                            "; it is traced anew by the usual one");
    }

    const PickledModel& m_pickled;
    const TraceOptions& m_options;
    std::string m_place;
    mutable ReopenSession m_session;
    SourceModules m_sources;
    PickledObjects m_objects;
};

/// Instances below a module whose forward is code of torch.fx or of the folder: they have graphs of their
/// own.
void collectGraphInstances(const Value& module, const std::string& path,
                           std::vector<std::pair<std::string, Value>>& out,
                           std::set<const Object*>& visited) {
    const DictObject* children = moduleTable(module, "_modules");
    if (!children)
        return;
    for (const DictObject::Entry& entry : children->entries()) {
        if (!isModuleInstance(entry.value) || !visited.insert(entry.value.object().get()).second)
            continue;
        const std::string below = path.empty() ? entry.key.text() : path + '.' + entry.key.text();
        collectGraphInstances(entry.value, below, out, visited);
        const std::string& home = entry.value.as<InstanceObject>()->type.as<ClassObject>()->data->module;
        if (home == kFolderModule || home == "torch.fx.graph_module")
            out.emplace_back(below, entry.value);
    }
}

/// What torch.load gives for a file of the folder: a module, or an ordered dict of tensors.
class FolderFiles {
public:
    FolderFiles(ReopenSession& session, const ModuleFolder& folder) : m_session(session), m_folder(folder) {}

    Value load(const std::string& named) {
        const std::optional<std::string> path = fileInFolder(m_folder.folder, named);
        if (!path)
            throw Error(m_folder.codePath, "loads " + pythonRepr(named) + ", which is not in the folder")
                .hint("keep the files of the folder together");
        // The objects refer to their container while the model is alive.
        Loaded& loaded = m_loaded.emplace_back();
        loaded.container = std::make_unique<TorchContainer>(TorchContainer::open(*path));
        loaded.objects = std::make_unique<PickledObjects>(
            m_session.evaluator(), *loaded.container,
            [this](const std::string& name) { return m_session.findClass(name); },
            [this, place = *path](const PickleValue& value) {
                return m_session.compile(*pickledGraph(value, place), place + ": code");
            });
        return loaded.objects->make(loaded.container->root());
    }

private:
    struct Loaded {
        std::unique_ptr<TorchContainer> container;
        std::unique_ptr<PickledObjects> objects;
    };
    ReopenSession& m_session;
    const ModuleFolder& m_folder;
    std::vector<Loaded> m_loaded;
};

} // namespace

OpenedModel reopenPickle(const PickledModel& pickled, const TraceOptions& options,
                         const std::vector<SourceText>& sources) {
    const at::NoGradGuard noGrad;
    return PickleReopener(pickled, options, sources).open();
}

OpenedModel reopenFolder(const ModuleFolder& folder, const TraceOptions& options) {
    const at::NoGradGuard noGrad;
    OpenedModel out;
    out.path = folder.codePath;
    out.format = "folder of GraphModule.to_folder";
    out.notes = folder.notes;
    ReopenSession session(limitsFor(folder.code.size(), options));
    FolderFiles files(session, folder);
    // Python runs this code as it stands: what it makes is made in each run, and what it writes is written
    // then.
    TraceOptions asWritten = options, asWrittenBelow;
    for (TraceOptions* each : {&asWritten, &asWrittenBelow})
        each->tracer.proxyBufferAttributes = each->tracer.isEveryCallRecorded = true;
    session.names().setLoad([&](Evaluator&, const std::string& path) { return files.load(path); });
    guarded([&] {
        session.prepare();
        session.addPackages(options.packageFolders);
        if (!options.sourceFile.empty())
            session.runSource(options.sourceFile);
        Evaluator& evaluator = session.evaluator();
        evaluator.modules().finder().addRoot(folder.folder); // our own exports bring the user's sources along
        const Value module =
            evaluator.modules().runModule(parseSource(folder.code, folder.codePath), kFolderModule);
        const Value* type = module.as<SourceModuleObject>()->dict.as<DictObject>()->find(folder.className);
        if (!type)
            throw Error(folder.codePath, "defines no class " + folder.className);
        const Value model = evaluator.call(*type);
        Traced traced = session.trace(model, asWritten, true, out.notes);
        out.model = std::move(traced.model);
        std::vector<std::pair<std::string, Value>> graphs;
        std::set<const Object*> visited;
        collectGraphInstances(model, "", graphs, visited);
        for (const auto& [path, instance] : graphs)
            if (out.model.resolve(out.model.root(), path).module) {
                std::vector<std::string> ignored;
                graftGraph(out.model, path, session.trace(instance, asWrittenBelow, true, ignored).model);
            }
        out.notes.insert(out.notes.end(), traced.notes.begin(), traced.notes.end());
    });
    return out;
}

} // namespace fx
