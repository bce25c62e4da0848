// SPDX-License-Identifier: GPL-3.0-or-later
// apply and passes: running passes over a graph, and what there is to know of them. Both follow the rows of
// core/passes/registry.h.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/io/json.h"
#include "core/open/example_files.h"
#include "core/open/python_source.h"
#include "core/open/support_file.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/plugins/pass_folders.h"
#include "core/session/debuggee.h"
#include "core/session/worker_process.h"
#include "core/userpasses/user_pass.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iostream>
#include <set>

namespace fx {

namespace {

struct PassCall {
    const Pass& pass;
    PassOptions options;
};

struct ApplyCommand {
    ModelOptions model;
    RunOptions run;
    std::string out, className = "FxModule";
    std::deque<Pass> userPasses; ///< where they lie they stay
    std::vector<PassCall> calls;

    void operator()() const {
        if (!out.empty())
            requireKnownEnding(out);
        OpenedModel opened = model.open();
        limitOwnMemory(memoryLimitOf({})); // as for the window's workers
        for (const PassCall& call : calls) {
            const PassReport report = runPassHere(opened, call.pass, call.options, run, model.packageFolders);
            std::cout << shownLines(report.output);
            for (const std::string& line : report.results)
                std::cerr << shownLines(line) << '\n';
            char seconds[32];
            std::snprintf(seconds, sizeof seconds, "%.2f s", report.seconds);
            std::cerr << report.pass << ": " << (report.hasChanged() ? "changed, " : "") << report.text()
                      << ", " << seconds << '\n';
        }
        if (!out.empty())
            writeModel(opened, out, className);
    }
};

std::string helpOf(const PassOption& option) {
    return option.help + (option.byDefault.empty() ? "" : "; without it " + option.byDefault);
}

/// The flag of an option; `given` gets what a user writes for it.
void addOption(CLI::App& parser, const PassOption& option, std::map<std::string, std::string>& given) {
    const std::string flag = "--" + option.name;
    if (option.type == OptionType::Bool) {
        // What is so without a flag takes one to be otherwise.
        const bool isOn = option.byDefault == "true";
        parser.add_flag_callback(
            isOn ? "--no-" + option.name : flag,
            [&given, &option, isOn] { given[option.name] = isOn ? "false" : "true"; }, option.help);
        return;
    }
    std::string type(typeName(option.type));
    for (char& letter : type)
        letter = static_cast<char>(std::toupper(letter));
    if (option.type == OptionType::Choice)
        type = join(option.choices, "|");
    parser
        .add_option_function<std::string>(
            flag, [&given, &option](const std::string& text) { given[option.name] = text; }, helpOf(option))
        ->type_name(type)
        ->required(option.isRequired);
}

void addPassParser(CLI::App& apply, const Pass& pass, ApplyCommand& command, const std::string& name) {
    CLI::App* parser = apply.add_subcommand(name, pass.summary)->group("Passes");
    parser->fallthrough();
    // At once, so that a pass may come twice, each time with its own options.
    parser->immediate_callback();
    const auto given = std::make_shared<std::map<std::string, std::string>>();
    for (const PassOption& option : pass.options)
        addOption(*parser, option, *given);
    parser->callback([&pass, &command, given] {
        try {
            command.calls.push_back({pass, PassOptions(pass, std::exchange(*given, {}))});
        } catch (const Error& error) {
            throw CLI::ValidationError(error.what());
        }
    });
}

/// Whether the word before takes this one as its value.
bool isValue(const CLI::App& parser, const std::string& before) {
    const CLI::Option* option = before.starts_with('-') ? parser.get_option_no_throw(before) : nullptr;
    return option && option->get_items_expected_max() > 0;
}

/// "FILE.py:NAME" for a pass of the folders of passes; any other word as it is.
std::string wholeName(const std::string& word) {
    const bool isRow = std::ranges::any_of(passes(), [&](const Pass& pass) { return pass.name == word; });
    return isRow || word.find_first_of("./") != std::string::npos
               ? word
               : findListedPass(passFiles(), word).value_or(word);
}

/// The passes of users' files and of torch.fx's modules among the words after the model: each becomes a
/// subcommand, whose name holds no colon, as CLI11 wants it.
void addUserPasses(CLI::App& parser, const std::shared_ptr<ApplyCommand>& command,
                   std::vector<std::string>& words) {
    bool hasModel = false;
    std::set<std::string> known;
    for (size_t i = 1; i < words.size(); ++i) {
        if (words[i].starts_with('-') || isValue(parser, words[i - 1]))
            continue;
        if (!std::exchange(hasModel, true))
            continue;
        const std::optional<UserPassName> name = userPassName(wholeName(words[i]));
        if (!name)
            continue;
        words[i] = name->path + '/' + name->name;
        if (!known.insert(words[i]).second)
            continue;
        command->userPasses.push_back(loadUserPass(*name));
        addPassParser(parser, command->userPasses.back(), *command, words[i]);
    }
}

std::string dialectsOf(const Pass& pass) {
    std::vector<std::string_view> names;
    for (const Dialect dialect : pass.dialects)
        names.push_back(dialectName(dialect));
    return join(names, ", ");
}

void printPass(const Pass& pass) {
    std::cout << pass.name << ": " << pass.summary << "\n  takes graphs that are: " << dialectsOf(pass)
              << '\n';
    for (const PassOption& option : pass.options) {
        std::cout << "  --" << option.name << "  " << typeName(option.type);
        if (!option.choices.empty())
            std::cout << " (" << join(option.choices, ", ") << ')';
        std::cout << (option.isRequired ? ", required" : "")
                  << (option.byDefault.empty() ? "" : ", default " + option.byDefault) << "\n      "
                  << option.help << '\n';
    }
}

void printLine(const std::string& name, const std::string& summary) {
    std::cout << name << std::string(name.size() < 22 ? 22 - name.size() : 1, ' ') << summary << '\n';
}

Json passJson(const Pass& pass) {
    Json options = Json::array(), dialects = Json::array();
    for (const Dialect dialect : pass.dialects)
        dialects.push_back(std::string(dialectName(dialect)));
    for (const PassOption& option : pass.options)
        options.push_back({{"name", option.name},
                           {"type", std::string(typeName(option.type))},
                           {"help", option.help},
                           {"default", option.byDefault.empty() ? Json() : Json(option.byDefault)},
                           {"choices", option.choices},
                           {"required", option.isRequired}});
    return {{"name", pass.name},
            {"title", pass.title},
            {"summary", pass.summary},
            {"dialects", std::move(dialects)},
            {"options", std::move(options)}};
}

Json passesJson(const std::vector<Pass>& passes) {
    Json out = Json::array();
    for (const Pass& pass : passes)
        out.push_back(passJson(pass));
    return out;
}

/// The pass of that name; all of a file or a module that is named alone.
std::vector<Pass> passesNamed(const std::string& word) {
    const std::optional<UserPassName> own = userPassName(word);
    if (!own)
        return {findPass(word)};
    if (own->name.empty())
        if (std::vector<Pass> all = userPassesIn(own->path); !all.empty())
            return all;
    return {loadUserPass(*own)};
}

} // namespace

PassReport runPassHere(OpenedModel& opened, const Pass& pass, const PassOptions& options,
                       const RunOptions& run, const std::vector<std::string>& packageFolders) {
    Progress progress;
    PassContext context{progress};
    context.packageFolders = packageFolders;
    context.inputs = [&](const Model&) { return run.inputsOf(opened); };
    context.examples = [&](const Model&, const std::string& path,
                           const std::function<void(const GraphInputs&)>& visit) {
        forEachExample(opened, run.specs(), path, visit);
    };
    context.settings = run.settings();
    context.isTracedHere = isTracedSource(opened);
    context.open = [](const std::string& path) {
        ModelOptions other;
        other.path = path;
        return other.open().model;
    };
    context.refusals = refusalsByFile;
    PassReport report;
    try {
        report = runPass(opened.model, opened.model.root(), pass, options, context);
    } catch (...) {
        std::cout << shownLines(context.output); // what it printed before it failed
        throw;
    }
    for (const std::string& warning : report.warnings)
        std::cerr << "note: " << oneLine(warning) << '\n';
    return report;
}

std::function<void(std::vector<std::string>&)> addApply(CLI::App& app) {
    auto command = std::make_shared<ApplyCommand>();
    CLI::App* parser = app.add_subcommand("apply", "run passes over the graph");
    command->model.addTo(*parser);
    parser->add_option("-o,--out", command->out,
                       "where to write the result: .pt2, .pt, .fxg, .py, or a folder ending in /");
    parser->add_option("--name", command->className, "the name of the class, for a folder")
        ->capture_default_str();
    command->run.addTo(*parser);
    parser->require_subcommand(0, 0); // as many as one likes, while of commands there is one
    for (const Pass& pass : passes())
        addPassParser(*parser, pass, *command, pass.name);
    parser->allow_extras(); // for our own words about them
    parser->footer(
        "Passes run in the order in which they are written, each followed by its own options.\n"
        "fxscope apply MODEL PASS --help shows them, fxscope passes lists the passes.\n"
        "FILE.py:NAME is a pass written for torch.fx: a function of a GraphModule or a Graph, or a\n"
        "class derived from Transformer, Interpreter or PassBase; its parameters are the options.\n"
        "MODULE:NAME is one of torch.fx's own modules, such as "
        "torch.fx.passes.dialect.common.cse_pass:CSEPass.\n"
        "NAME alone is one of the folders of passes, which fxscope passes lists.\n\n"
        "Examples:\n"
        "  fxscope apply model.pt2 dead-code -o smaller.fxg\n"
        "  fxscope apply model.pt2 lint\n"
        "  fxscope apply model.pt2 decompose --rules rules.py dead-code -o plain.fxg\n"
        "  fxscope apply model.py:Net() split --by scope -o parts.fxg\n"
        "  fxscope apply model.pt2 shape-prop --input 'x=randn(8,3,224,224)' -o shaped.fxg\n"
        "  fxscope apply model.pt2 my_passes.py:fuse --factor 2 -o fused.fxg");
    parser->callback([command, parser] {
        for (const std::string& word : parser->remaining()) {
            if (!word.starts_with('-'))
                findPass(word);
            throw CLI::ExtrasError(std::vector<std::string>{word});
        }
        if (command->calls.empty())
            throw CLI::RequiredError("PASS");
        (*command)();
    });
    return [parser, command](std::vector<std::string>& words) {
        if (!words.empty() && words[0] == "apply")
            addUserPasses(*parser, command, words);
    };
}

void addPasses(CLI::App& app) {
    struct Options {
        std::string name;
        bool isJson = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("passes", "list the passes, or tell all about one");
    command->add_option("NAME", options->name,
                        "the pass to tell about, or a file or module for all of its passes");
    command->add_flag("--json", options->isJson, "as JSON");
    command->footer("Examples:\n  fxscope passes\n  fxscope passes replace\n  fxscope passes --json\n"
                    "  fxscope passes torch.fx.experimental.normalize");
    command->callback([options] {
        if (!options->name.empty()) {
            const std::vector<Pass> found = passesNamed(wholeName(options->name));
            if (!options->isJson)
                std::ranges::for_each(found, printPass);
            else
                std::cout << jsonText(found.size() == 1 ? passJson(found[0]) : passesJson(found), 1, true)
                          << '\n';
            return;
        }
        Json all = Json::array();
        for (const Pass& pass : passes())
            if (options->isJson)
                all.push_back(passJson(pass));
            else
                printLine(pass.name, pass.summary);
        for (const PassFile& file : passFiles()) {
            if (!file.fault.empty()) {
                std::cerr << "note: " << oneLine(file.fault) << '\n';
                continue;
            }
            if (!options->isJson && !file.passes.empty())
                std::cout << '\n' << oneLine(file.path) << '\n';
            for (const ListedPass& pass : file.passes)
                if (options->isJson)
                    all.push_back({{"name", pass.name}, {"summary", pass.summary()}, {"file", file.path}});
                else
                    printLine(pass.name, oneLine(pass.summary()));
        }
        if (options->isJson)
            std::cout << jsonText(all, 1, true) << '\n';
    });
}

} // namespace fx
