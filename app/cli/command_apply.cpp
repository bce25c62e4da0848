// SPDX-License-Identifier: GPL-3.0-or-later
// apply: running passes over a graph, by the rows of core/passes/registry.h; proving what they did.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/compare/bisect.h"
#include "core/compare/verify_card.h"
#include "core/io/output_file.h"
#include "core/io/pass_table_text.h"
#include "core/open/pass_context.h"
#include "core/open/recipe.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/plugins/pass_folders.h"
#include "core/session/debuggee.h"
#include "core/userpasses/user_pass.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iostream>
#include <set>

namespace fx::cli {

namespace {

struct PassCall {
    const Pass& pass;
    RecipeStep step; ///< with options that the pass takes
};

struct ApplyCommand {
    ModelOptions model;
    RunOptions run;
    std::string out, className = "FxModule", module;
    std::string recipe, savedRecipe;
    std::vector<std::string> tables; ///< NAME=FILE
    bool isVerified = false, isBisected = false, isPythonAllowed = false;
    std::optional<double> tolerance;
    std::deque<Pass> userPasses; ///< rows of them; where they lie they stay
    std::vector<PassCall> calls;

    /// Gives the exit status.
    int operator()() const {
        if (!out.empty())
            requireKnownEnding(out);
        for (const PassCall& call : calls)
            model.permissions->addPass(call.step);
        for (const std::string& table : tables)
            model.permissions->outputs.push_back(table.substr(table.find('=') + 1));
        OpenedModel opened = model.open();
        const OpenedModel before = opened;
        const GraphInputs inputs = isVerified ? run.inputsOf(opened) : GraphInputs();
        std::vector<PassTable> measured;
        for (const PassCall& call : calls) {
            // What is known of a user's pass so far has been said by another process.
            const std::optional<UserPassName> own = userPassName(call.step.pass);
            const Pass pass = own ? loadUserPass(*own) : call.pass;
            const PassReport report =
                runPassHere(opened, graphAt(opened.model, module), pass, PassOptions(pass, call.step.options),
                            run, model.packageFolders);
            std::cout << shownLines(shownPart(report.output, kOutputLimits));
            measured.insert(measured.end(), report.tables.begin(), report.tables.end());
            for (const std::string& line : report.results)
                std::cerr << shownLines(shownPart(line)) << '\n';
            char seconds[32];
            if (report.seconds < 0.999) // and so in three digits
                std::snprintf(seconds, sizeof seconds, "%.3g ms", report.seconds * 1e3);
            else
                std::snprintf(seconds, sizeof seconds, "%.2f s", report.seconds);
            std::cerr << report.pass << ": " << (report.hasChanged() ? "changed, " : "") << report.text()
                      << ", " << seconds << '\n';
            if (isVerified && !verify(before.model, opened.model, inputs)) {
                if (isBisected)
                    bisect(opened.model, report, inputs);
                return 1; // and nothing is written, so that nobody goes on with what is wrong
            }
        }
        for (const std::string& table : tables)
            writeTable(table, measured);
        if (!savedRecipe.empty())
            writeFile(savedRecipe, recipeText(steps()));
        if (!out.empty())
            writeModel(opened, out, className);
        return 0;
    }

    /// The steps of the recipe come before the passes that were named.
    void takeRecipe() {
        if (recipe.empty())
            return;
        std::vector<PassCall> first;
        for (RecipeStep& step : readRecipe(recipe)) {
            if (startsPython(step) && !isPythonAllowed)
                throw Error(recipe, "wants python3 started, by " + step.pass + " --to aotinductor")
                    .hint("give --allow-python if it may be");
            const std::optional<UserPassName> own = userPassName(step.pass);
            if (own)
                userPasses.push_back(onlyPass(userPassRows(*own), own->path));
            const Pass& pass = own ? userPasses.back() : findPass(step.pass);
            PassOptions(pass, step.options); // throws for what the pass does not take
            first.push_back({pass, std::move(step)});
        }
        std::vector<PassCall> named = std::exchange(calls, {});
        for (std::vector<PassCall>* each : {&first, &named})
            for (PassCall& call : *each)
                calls.push_back(std::move(call));
    }

private:
    /// `wanted`: NAME=FILE. Of several tables of a name the last.
    static void writeTable(const std::string& wanted, const std::vector<PassTable>& measured) {
        const size_t equals = wanted.find('=');
        const std::string name = wanted.substr(0, equals);
        const auto found = std::find_if(measured.rbegin(), measured.rend(),
                                        [&](const PassTable& table) { return table.name == name; });
        if (equals == std::string::npos || found == measured.rend())
            throw Error("--table " + wanted, "no pass has measured a table of that name")
                .hint("quantize --sweep trade-off measures trade-off=FILE.csv");
        const std::string file = wanted.substr(equals + 1);
        writeFile(file, file.ends_with(".json") ? tableJson(*found) : tableCsv(*found));
    }

    std::vector<RecipeStep> steps() const {
        std::vector<RecipeStep> out;
        for (const PassCall& call : calls)
            out.push_back(call.step);
        return out;
    }

    void bisect(const Model& after, const PassReport& report, const GraphInputs& inputs) const {
        CompareOptions options;
        options.tolerance = tolerance;
        Progress progress;
        const Bisection found =
            bisectChanges(after, report.changes, inputs, run.settings(), options, progress);
        std::cout << "bisect: changes " << found.good + 1 << " to " << found.bad << " of " << found.changes
                  << " of " << report.pass << " make the difference (" << plural(found.tries, "state")
                  << " tried)" << (found.nodes.empty() ? "" : ": " + shownLine(join(found.nodes, ", ")))
                  << '\n';
    }

    /// After each pass against the model as it was opened: the first card that is not well shows which pass
    /// it was.
    bool verify(const Model& before, const Model& after, const GraphInputs& inputs) const {
        VerifyOptions options;
        options.compare.tolerance = tolerance;
        Progress progress;
        const VerifyCard card = verifyChange(before, after, inputs, run.settings(), options, progress);
        std::cout << cardText(card, before.graph(), after.graph());
        return card.comparison.verdict < Verdict::Different;
    }
};

std::string helpOf(const PassOption& option) {
    return option.help + (option.byDefault.empty() ? "" : "; without it " + option.byDefault);
}

/// The flag of an option; `given` gets what a user writes for it.
void addOption(CLI::App& parser, const PassOption& option, std::map<std::string, std::string>& given) {
    const std::string flag = flagOf(option);
    if (option.type == OptionType::Bool) {
        const bool isOn = option.byDefault == "true";
        parser.add_flag_callback(
            flag, [&given, &option, isOn] { given[option.name] = isOn ? "false" : "true"; },
            flagHelpOf(option));
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

/// `word`: what a recipe calls the pass.
void addPassParser(CLI::App& apply, const Pass& pass, ApplyCommand& command, const std::string& name,
                   const std::string& word) {
    CLI::App* parser = apply.add_subcommand(name, pass.summary);
    parser->group(pass.group.empty() ? "Passes" : pass.group);
    parser->fallthrough();
    // At once, so that a pass may come twice, each time with its own options.
    parser->immediate_callback();
    const auto given = std::make_shared<std::map<std::string, std::string>>();
    for (const PassOption& option : pass.options)
        addOption(*parser, option, *given);
    parser->callback([&pass, &command, given, word] {
        try {
            RecipeStep step{word, std::exchange(*given, {})};
            PassOptions(pass, step.options); // likewise
            command.calls.push_back({pass, std::move(step)});
        } catch (const Error& error) {
            throw CLI::ValidationError(error.what());
        }
    });
}

/// Whether the word before, an option of the command or of a pass, takes this one as its value.
bool isValue(const CLI::App& parser, const std::string& before) {
    if (!before.starts_with('-'))
        return false;
    const auto takesValue = [&](const CLI::App* app) {
        const CLI::Option* option = app->get_option_no_throw(before);
        return option && option->get_items_expected_max() > 0;
    };
    return takesValue(&parser) ||
           std::ranges::any_of(parser.get_subcommands([](const CLI::App*) { return true; }), takesValue);
}

/// A file is found from any folder.
std::string recipeWord(const UserPassName& name) {
    std::error_code fault;
    return (std::filesystem::exists(name.path, fault) ? std::filesystem::absolute(name.path).string()
                                                      : name.path) +
           ':' + name.name;
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
        const std::optional<UserPassName> name = userPassName(wholePassName(words[i]));
        if (!name)
            continue;
        words[i] = name->path + '/' + name->name;
        if (!known.insert(words[i]).second)
            continue;
        command->userPasses.push_back(onlyPass(userPassRows(*name), name->path));
        addPassParser(parser, command->userPasses.back(), *command, words[i], recipeWord(*name));
    }
}

} // namespace

PassReport runPassHere(OpenedModel& opened, ModuleId graph, const Pass& pass, const PassOptions& options,
                       const RunOptions& run, const std::vector<std::string>& packageFolders) {
    Progress progress;
    PassContext context = passContext(opened, run.specs(), run.settings(), progress);
    context.packageFolders = packageFolders;
    context.open = [](const std::string& path) {
        ModelOptions other;
        other.path = path;
        return other.open().model;
    };
    PassReport report;
    try {
        report = runPass(opened.model, graph, pass, options, context);
    } catch (...) {
        std::cout << shownLines(shownPart(context.output, kOutputLimits)); // what it printed before it failed
        throw;
    }
    for (const std::string& warning : report.warnings)
        std::cerr << "note: " << shownLine(warning) << '\n';
    return report;
}

std::function<void(std::vector<std::string>&)> addApply(CLI::App& app) {
    auto command = std::make_shared<ApplyCommand>();
    CLI::App* parser = app.add_subcommand("apply", "run passes over the graph");
    command->model.addTo(*parser);
    command->model.asOutput(
        parser->add_option("-o,--out", command->out,
                           "where to write the result: .pt2, .pt, .fxg, .py, or a folder ending in /"));
    parser->add_option("--name", command->className, "the name of the class, for a folder")
        ->capture_default_str();
    parser->add_option("--module", command->module,
                       "the graph of a part instead, as split makes them: submod_1");
    command->run.addTo(*parser, command->model);
    CLI::Option* verify = parser->add_flag(
        "--verify", command->isVerified,
        "after each pass run the model as it was opened and as it is now, and tell whether the results are "
        "the same, and what a run costs; where they differ the exit status is 1, and nothing is written");
    parser
        ->add_flag("--bisect", command->isBisected,
                   "where --verify finds a difference, tell which changes of the pass make it")
        ->needs(verify);
    parser
        ->add_option("--recipe", command->recipe,
                     "a file with passes and their options, which run first (--save-recipe)")
        ->type_name("FILE.fxrecipe")
        ->check(CLI::ExistingFile);
    parser
        ->add_flag("--allow-python", command->isPythonAllowed,
                   "let the recipe start python3, as lower --to aotinductor does")
        ->needs("--recipe");
    command->model.asOutput(
        parser
            ->add_option("--save-recipe", command->savedRecipe,
                         "write the passes and their options, to be replayed on other models")
            ->type_name("FILE.fxrecipe"));
    parser
        ->add_option(
            "--table", command->tables,
            "write what a pass has measured, as CSV or .json: trade-off=FILE.csv of quantize --sweep "
            "trade-off")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false);
    parser->add_option("--tolerance", command->tolerance, "of --verify, as fxscope compare takes it")
        ->check(CLI::NonNegativeNumber)
        ->needs(verify);
    parser->require_subcommand(0, 0); // as many as one likes, while of commands there is one
    for (const Pass& pass : passes())
        addPassParser(*parser, pass, *command, pass.name, pass.name);
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
        "  fxscope apply parts.fxg --module submod_1 quantize -o mixed.fxg\n"
        "  fxscope apply model.pt2 shape-prop --input 'x=randn(8,3,224,224)' -o shaped.fxg\n"
        "  fxscope apply model.pt2 my_passes.py:fuse --factor 2 -o fused.fxg\n"
        "  fxscope apply model.pt2 --verify --bisect --seed 0 fuse cse\n"
        "  fxscope apply model.pt2 --table trade-off=t.csv quantize --sweep trade-off -o int8.fxg\n"
        "  fxscope apply other.pt2 --recipe mine.fxrecipe -o other.fxg");
    parser->callback([command, parser] {
        for (const std::string& word : parser->remaining()) {
            if (!word.starts_with('-'))
                findPass(word);
            throw CLI::ExtrasError(std::vector<std::string>{word});
        }
        command->takeRecipe();
        if (command->calls.empty())
            throw CLI::RequiredError("PASS");
        if (const int status = (*command)(); status != 0)
            throw CLI::RuntimeError(status);
    });
    return [parser, command](std::vector<std::string>& words) {
        if (!words.empty() && words[0] == "apply")
            addUserPasses(*parser, command, words);
    };
}

} // namespace fx::cli
