// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/user_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/pass_options.h"
#include "core/python/tracebacks.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/host/library_texts.h"
#include "core/torch/values/thread_modes.h"
#include "core/trace/model_builders.h"
#include "core/userpasses/pass_program.h"
#include "core/userpasses/program_module.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <filesystem>
#include <map>

namespace fx {

namespace {

std::string optionName(std::string parameter) {
    for (char& letter : parameter)
        letter = letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return parameter;
}

OptionType typeOf(const std::string& word) {
    return word == "bool"    ? OptionType::Bool
           : word == "int"   ? OptionType::Int
           : word == "float" ? OptionType::Float
                             : OptionType::String;
}

/// What the library's text has of PyTorch, such as torch.fx.passes.dialect.common.cse_pass.
bool isLibraryModule(const std::string& path) {
    return path.starts_with("torch.") && hasTextOf(path);
}

Value loadFrom(PassProgram& program, const std::string& path) {
    return isLibraryModule(path) ? program.evaluator.modules().importModule(path) : program.load(path);
}

std::string firstLine(const Value& doc) {
    if (!doc.isString())
        return {};
    const std::string text(trim(doc.text()));
    const std::string line = text.substr(0, text.find('\n'));
    return line.ends_with('.') ? line.substr(0, line.size() - 1) : line;
}

Value optionValue(const PassOption& option, const PassOptions& options) {
    switch (option.type) {
    case OptionType::Bool:
        return c10::IValue(options.flag(option.name));
    case OptionType::Int:
        return makeInt(options.integer(option.name));
    case OptionType::Float:
        return c10::IValue(options.number(option.name));
    default:
        return makeText(options.text(option.name));
    }
}

/// What an Interpreter is run with: (values, keywords).
Value inputsOf(const Model& model, PassContext& context) {
    if (!context.inputs)
        throw Error("", "this pass runs the model, and there are no inputs for it here");
    GraphInputs inputs = context.inputs(model);
    DictObject keywords;
    for (auto& [name, value] : inputs.keywords)
        keywords.set(name, std::move(value));
    return makeTuple({makeTuple(std::move(inputs.values)), Object{std::move(keywords)}});
}

/// (record, values), for the text of torch.export.
Value exportedFacts(const ExportedFacts& facts) {
    return makeTuple({makeText(facts.record), facts.examples ? makeTuple(facts.examples()) : Value()});
}

void runUserPass(const UserPassName& name, const std::vector<std::pair<std::string, PassOption>>& parameters,
                 Edit& edit, const PassOptions& options, PassContext& context) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    at::GradMode::set_enabled(true);
    PassProgram program(edit.model().sources());
    Evaluator& evaluator = program.evaluator;
    struct Tell {
        Evaluator& evaluator;
        PassContext& context;
        ~Tell() {
            context.output += evaluator.output();
            for (const std::string& warning : evaluator.warnings())
                context.warnings.push_back(warning);
        }
    } tell{evaluator, context};
    evaluator.runOutside([&]() -> Value {
        for (const std::string& folder : context.packageFolders)
            evaluator.modules().finder().addInstalled(folder);
        const Value file = loadFrom(program, name.path);
        evaluator.startRequest();
        ProgramModule module(evaluator, program.tracing, program.sources, edit.model(), edit.module(),
                             context.isTracedHere);
        if (!module.warning().empty())
            context.warnings.push_back(module.warning());
        DictObject given;
        for (const auto& [parameter, option] : parameters)
            if (options.isGiven(option.name))
                given.set(parameter, optionValue(option, options));
        const Value inputs = makeNative(
            "inputs", [&](Evaluator&, Values&, NamedValues&) { return inputsOf(edit.model(), context); });
        const Value exported = makeNative(
            "exported", [&](Evaluator&, Values&, NamedValues&) { return exportedFacts(context.exported); });
        Values result;
        try {
            result = evaluator.items(
                evaluator.call(program.helper("apply"), {evaluator.attribute(file, name.name), module.value(),
                                                         Object{std::move(given)}, inputs, exported}));
        } catch (const Error&) {
            context.traceback = tracebackText(evaluator.frames().trace());
            throw;
        }
        std::map<std::string, size_t> lost; // by the key
        for (const std::string& name : module.commit(edit, result.at(0)))
            ++lost[name.substr(name.rfind(".meta[") + 1)];
        for (const auto& [key, count] : lost)
            context.warnings.push_back(key + " of " + plural(count, "node") + " cannot be kept in a model");
        if (result.at(1).isString())
            context.results.push_back("returned " + result[1].text());
        context.sources = neededSources(evaluator, edit.model());
        return {};
    });
}

Pass passOf(PassProgram& program, const UserPassName& name, const Value& target) {
    Evaluator& evaluator = program.evaluator;
    Pass pass;
    pass.name = name.name;
    pass.title = name.name;
    const std::optional<Value> doc = evaluator.findAttribute(target, "__doc__");
    pass.summary = doc ? firstLine(*doc) : "";
    if (pass.summary.empty())
        pass.summary =
            "the pass " + name.name + " of " + std::filesystem::path(name.path).filename().string();
    pass.dialects = kAnyDialect;
    pass.runsCode = true;
    pass.mayLeaveFaults = true;
    std::vector<std::pair<std::string, PassOption>> parameters;
    for (const Value& entry : evaluator.items(evaluator.call(program.helper("options_of"), {target}))) {
        const Values parts = evaluator.items(entry);
        PassOption option;
        option.name = optionName(parts.at(0).text());
        option.type = typeOf(parts.at(1).text());
        option.help = parts.at(4).text();
        option.byDefault = parts.at(2).isString() ? parts[2].text() : "";
        option.isRequired = parts.at(3).data().toBool();
        parameters.emplace_back(parts[0].text(), option);
        pass.options.push_back(std::move(option));
    }
    pass.run = [name, parameters](Edit& edit, const PassOptions& options, PassContext& context) {
        runUserPass(name, parameters, edit, options, context);
    };
    return pass;
}

/// Evaluates the file or module by itself, and does `work` with it.
void inFile(const std::string& path,
            const std::function<void(PassProgram& program, const Value& file)>& work) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    const std::vector<SourceText> none;
    PassProgram program(none);
    guarded([&] {
        program.evaluator.runOutside([&]() -> Value {
            work(program, loadFrom(program, path));
            return {};
        });
    });
}

} // namespace

std::optional<UserPassName> userPassName(const std::string& word) {
    const size_t end = word.rfind(".py:");
    if (end != std::string::npos)
        return UserPassName{word.substr(0, end + 3), word.substr(end + 4)};
    if (word.ends_with(".py"))
        return UserPassName{word, ""};
    const size_t colon = word.find(':');
    if (const std::string module = word.substr(0, colon); isLibraryModule(module))
        return UserPassName{module, colon == std::string::npos ? "" : word.substr(colon + 1)};
    return std::nullopt;
}

std::vector<Pass> userPassesIn(const std::string& path) {
    std::vector<Pass> out;
    inFile(path, [&](PassProgram& program, const Value& file) {
        const Value name = program.evaluator.attribute(file, "__name__");
        const DictObject names = *file.as<SourceModuleObject>()->dict.as<DictObject>();
        for (const DictObject::Entry& entry : names.entries())
            if (entry.key.isString() && program.evaluator.isTrue(program.evaluator.call(
                                            program.helper("is_pass"), {entry.key, entry.value, name})))
                out.push_back(passOf(program, {path, entry.key.text()}, entry.value));
    });
    return out;
}

Pass onlyPass(std::vector<Pass> found, const std::string& path) {
    if (found.size() == 1)
        return std::move(found[0]);
    std::vector<std::string> names;
    for (const Pass& pass : found)
        names.push_back(pass.name);
    if (names.empty())
        throw Error(path, "has no pass")
            .hint("a pass is a function of a GraphModule or a Graph, or a class derived from "
                  "torch.fx.Transformer, torch.fx.Interpreter or PassBase");
    throw Error(path, "has several passes")
        .hint("say which, such as " + path + ':' + names[0] + "; it has " + shortList(names));
}

Pass loadUserPass(const UserPassName& name) {
    if (name.name.empty())
        return onlyPass(userPassesIn(name.path), name.path);
    Pass out;
    inFile(name.path, [&](PassProgram& program, const Value& file) {
        out = passOf(program, name, program.named(file, name));
    });
    return out;
}

} // namespace fx
