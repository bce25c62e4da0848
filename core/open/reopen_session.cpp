// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/reopen_session.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/torch/state_dict.h"
#include "core/module/model.h"
#include "core/open/installed_packages.h"
#include "core/python/class_building.h"
#include "core/python/library.h"
#include "core/torch/bind/call.h"
#include "core/trace/model_sources.h"
#include "core/trace/trace_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

/// What our own exported folders use of pathlib.
constexpr const char* kPathlib = R"(
class Path:
    def __init__(self, *parts):
        self._text = '/'.join(str(part) for part in parts)
    def with_name(self, name):
        return Path(*self._text.split('/')[:-1], name)
    @property
    def parent(self):
        return Path('/'.join(self._text.split('/')[:-1]))
    @property
    def name(self):
        return self._text.split('/')[-1]
    def __truediv__(self, part):
        return Path(self, part)
    def __str__(self):
        return self._text
    __fspath__ = __str__
)";

/// What the code of PyTorch before 1.8 could count on.
constexpr const char* kOldImports = "import torch\n"
                                    "from math import inf, nan\n"
                                    "from torch import device\n"
                                    "NoneType = type(None)\n";

constexpr const char* kImportedName = "_imported_name";

bool isKnownModule(std::string_view module) {
    const std::string_view top = module.substr(0, module.find('.'));
    static constexpr std::string_view kKnown[] = {"torch",       "math",      "operator",
                                                  "_operator",   "builtins",  "typing",
                                                  "collections", "functools", "itertools"};
    return std::find(std::begin(kKnown), std::end(kKnown), top) != std::end(kKnown);
}

/// "from A import B" or "from A import B as C" as its parts; empty where it is something else.
std::vector<std::string> importParts(std::string_view line) {
    std::vector<std::string> words;
    for (std::string_view word : split(line, ' '))
        if (!word.empty())
            words.emplace_back(word);
    const bool isPlain = words.size() == 4 && words[0] == "from" && words[2] == "import";
    const bool isRenamed =
        words.size() == 6 && words[0] == "from" && words[2] == "import" && words[4] == "as";
    if (!isPlain && !isRenamed)
        return {};
    const std::string& name = isRenamed ? words[5] : words[3];
    return isIdentifier(words[3]) && isIdentifier(name) ? std::vector<std::string>{words[1], words[3], name}
                                                        : std::vector<std::string>();
}

/// The imports with each name of a user's module looked up by us, who may not have that module.
std::string preparedImports(const std::string& block) {
    std::string out;
    for (std::string_view line : split(block, '\n')) {
        const std::vector<std::string> parts = importParts(line);
        if (!parts.empty() && parts[0] == "builtins")
            out += parts[1] == parts[2] ? std::string() : parts[2] + " = " + parts[1] + '\n';
        else if (parts.empty() || isKnownModule(parts[0]))
            out += std::string(line) + '\n';
        else
            out += parts[2] + " = " + kImportedName + "(" + pythonRepr(parts[0]) + ", " +
                   pythonRepr(parts[1]) + ")\n";
    }
    return out;
}

} // namespace

// --- ReopenNames

std::optional<Value> ReopenNames::member(Evaluator&, const NamespaceObject& space, const std::string& name) {
    if (m_load && space.path == "torch" && name == "load")
        return makeNative("torch.load", [this](Evaluator& e, Values& args, NamedValues&) -> Value {
            if (args.empty())
                raise("TypeError", "load() missing 1 required positional argument: 'f'");
            return m_load(e, e.str(args[0]));
        });
    // Operators that no library registers here, and those over graphs, are names as any other.
    if (!space.path.starts_with("torch.ops."))
        return std::nullopt;
    const Target target(space.path + '.' + name);
    const bool isOverload = std::count(space.path.begin(), space.path.end(), '.') == 3;
    if (space.path == "torch.ops.higher_order" || (isOverload && !isKnownFunction(target)))
        return Value(Object{FunctionObject{target}});
    return std::nullopt;
}

const LibraryModule* ReopenNames::libraryModule(const std::string& name) {
    static const LibraryModule pathlib{parseSource(kPathlib, "<pathlib>")};
    return name == "pathlib" ? &pathlib : nullptr;
}

// --- ReopenSession

ReopenSession::ReopenSession(EvaluationLimits limits) : m_evaluator(limits) {
    m_torch.addTo(m_evaluator);
    m_tracing.addTo(m_evaluator);
    m_evaluator.names().add(m_names);
    m_evaluator.types().addBuiltin(kImportedName, [this](Evaluator&, Values& args, NamedValues&) {
        requireArguments(kImportedName, args, 2, 2);
        return importedName(args[0].text(), args[1].text());
    });
}

void ReopenSession::prepare() {
    // The text of torch.nn imports its parts in this order.
    m_evaluator.attribute(m_evaluator.modules().importModule("torch.nn"), "Module");
}

void ReopenSession::runSource(const std::string& path) {
    m_sources.push_back(m_evaluator.modules().importFile(path, std::filesystem::path(path).stem().string()));
}

void ReopenSession::runSource(const std::string& text, const std::string& path) {
    m_sources.push_back(m_evaluator.modules().runModule(parseSource(text, path), "pickled_classes"));
}

void ReopenSession::addPackages(const std::vector<std::string>& folders) {
    if (folders.empty())
        return;
    for (const std::string& folder : folders)
        m_evaluator.modules().finder().addInstalled(folder);
    m_evaluator.modules().finder().setInstalled(installedFolders);
    m_hasPackages = true;
}

std::optional<Value> ReopenSession::findClass(const std::string& qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    const std::string module = dot == std::string::npos ? "" : qualifiedName.substr(0, dot);
    const std::string name = qualifiedName.substr(dot == std::string::npos ? 0 : dot + 1);
    for (const Value& source : m_sources)
        if (const Value* found = source.as<SourceModuleObject>()->dict.as<DictObject>()->find(name))
            return *found;
    if (module == "builtins" || module == "__builtin__")
        return std::nullopt;
    return findImported(module, name);
}

std::optional<Value> ReopenSession::findImported(const std::string& module, const std::string& name) {
    if ((m_sources.empty() && !m_hasPackages) || module.empty() || module == "__main__")
        return std::nullopt;
    try {
        // A sibling of the source, which it need not import itself.
        return m_evaluator.findAttribute(m_evaluator.modules().importModule(module), name);
    } catch (const Error& error) {
        if (error.kind() == "ModuleNotFoundError" || error.kind() == "ImportError")
            return std::nullopt;
        throw;
    }
}

Value ReopenSession::importedName(const std::string& module, const std::string& name) {
    for (const Value& source : m_sources)
        if (const Value* found = source.as<SourceModuleObject>()->dict.as<DictObject>()->find(name))
            return *found;
    if (m_hasPackages)
        if (std::optional<Value> found = findImported(module, name))
            return std::move(*found);
    if (std::ranges::find(m_modules, module) != m_modules.end())
        if (std::optional<Value> found =
                m_evaluator.findAttribute(m_evaluator.modules().importModule(module), name))
            return std::move(*found);
    const std::string qualified = module + '.' + name;
    if (std::find(m_unknownFunctions.begin(), m_unknownFunctions.end(), qualified) ==
        m_unknownFunctions.end())
        m_unknownFunctions.push_back(qualified);
    return Object{FunctionObject{Target(qualified)}};
}

Value ReopenSession::compile(const PickledGraph& graph, const std::string& place) {
    const std::string imports = graph.importBlock.empty() ? kOldImports : preparedImports(graph.importBlock);
    const std::string text = imports + graph.code;
    const Value module = m_evaluator.modules().runModule(parseSource(text, place),
                                                         "pickled_code_" + std::to_string(++m_compiled));
    const Value* forward = module.as<SourceModuleObject>()->dict.as<DictObject>()->find("forward");
    if (!forward || !forward->as<DefinedObject>())
        throw Error(place, "defines no function forward");
    DictObject members;
    members.set("__module__", makeText("torch.fx.graph_module"));
    members.set("forward", *forward);
    Values bases;
    if (const std::optional<Value> base = m_evaluator.modules().libraryClass(kPlainModule))
        bases.push_back(*base);
    return makeClass(m_evaluator, graph.className, std::move(bases), Object{std::move(members)});
}

Value ReopenSession::concreteArguments(const TraceOptions& options) {
    if (options.concrete.empty())
        return {};
    const Value names =
        m_sources.empty()
            ? makeGlobals("concrete")
            : Value(Object{DictObject(*m_sources[0].as<SourceModuleObject>()->dict.as<DictObject>())});
    names.as<DictObject>()->set("PH",
                                m_evaluator.attribute(m_evaluator.modules().importModule("torch.fx"), "PH"));
    DictObject byName;
    Values byPosition;
    for (const auto& [name, text] : options.concrete) {
        const std::string place = "--concrete-args " + name;
        Value value = m_evaluator.evaluate(parseExpressionSource(text, place), names);
        if (name.empty())
            byPosition.push_back(std::move(value));
        else
            byName.set(name, std::move(value));
    }
    if (!byPosition.empty() && !byName.empty())
        throw Error("--concrete-args", "values by position and by name cannot be mixed");
    return byPosition.empty() ? Value(Object{std::move(byName)}) : makeTuple(std::move(byPosition));
}

Traced ReopenSession::trace(const Value& model, const TraceOptions& options, bool areAllLeaves,
                            std::vector<std::string>& notes) {
    if (!options.stateFile.empty()) {
        const StateDict state = readStateDict(options.stateFile);
        notes.insert(notes.end(), state.notes.begin(), state.notes.end());
        loadState(m_evaluator, model, state.given());
    }
    if (options.isTraining)
        m_evaluator.callMethod(model, "train", {c10::IValue(*options.isTraining)});
    const Value concrete = inOption([&] { return concreteArguments(options); });
    Tracer tracer(&m_evaluator);
    tracer.setLeaves(options.leafTypes);
    tracer.setOptions(options.tracer);
    for (const Value& source : m_sources)
        inOption(
            [&] { wrapNames(tracer, m_evaluator, source.as<SourceModuleObject>()->dict, options.wrapped); });
    tracer.setAllLeaves(areAllLeaves);
    tracer.setReadsGeneratedCode(areAllLeaves);
    Traced out = tracer.trace(model, concrete);
    keepSources(m_evaluator, out.model);
    return out;
}

} // namespace fx
