// SPDX-License-Identifier: GPL-3.0-or-later
// replace: finds a pattern in a graph, and puts another graph in its place.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/ir/graph_text.h"
#include "core/passes/registry.h"
#include "core/passes/replace_pass.h"
#include "core/rewrite/explain.h"
#include "core/rewrite/pattern_source.h"

#include <iostream>

namespace fx::cli {

namespace {

/// A pattern or a replacement: a MODEL of any format, or Python text.
struct PatternOption {
    std::string name, path, text;

    void addTo(CLI::App& command, const std::string& what) {
        CLI::Option* byPath =
            command.add_option("--" + name, path, what + ": FILE.py:FUNCTION, or any MODEL")
                ->type_name("FILE.py:FUNCTION");
        command
            .add_option("--" + name + "-text", text, what + " as Python: 'lambda x, y: torch.relu(x + y)'")
            ->type_name("PYTHON")
            ->excludes(byPath);
    }
    bool isGiven() const { return !path.empty() || !text.empty(); }
    Model open() const {
        if (!text.empty())
            return tracePatternText(text, "--" + name + "-text");
        ModelOptions options;
        options.path = path;
        return options.open().model;
    }
};

struct ReplaceCommand {
    ModelOptions model;
    PatternOption pattern{"pattern", {}, {}}, replacement{"replacement", {}, {}};
    std::string out, className = "FxModule", nodeNameContains;
    bool ignoresLiterals = false, explains = false, onlyMatches = false;

    void operator()() const {
        if (!pattern.isGiven())
            throw CLI::RequiredError("--pattern or --pattern-text");
        if (!onlyMatches && !replacement.isGiven())
            throw CLI::RequiredError("--replacement, --replacement-text or --match-only");
        if (!out.empty())
            requireKnownEnding(out);
        OpenedModel opened = model.open();
        const size_t count = onlyMatches ? match(opened.model) : replace(opened);
        if (count == 0)
            std::cerr << "note: the pattern is not found"
                      << (explains ? "" : "; --explain lists the places that come nearest") << '\n';
        if (count == 0 && explains)
            std::cout << shownLines(explanation(opened.model));
        if (!out.empty())
            writeModel(opened, out, className);
        else if (!onlyMatches && count > 0)
            std::cout << shownLines(graphText(opened.model.graph())) << '\n';
    }

private:
    size_t match(const Model& target) const {
        const Model wanted = pattern.open();
        const std::vector<SubgraphMatch> found =
            matcher(wanted).match({&target, target.root()}, nodeNameContains);
        for (size_t i = 0; i < found.size(); ++i)
            std::cout << matchLines(i + 1, found[i].nodes, wanted.graph(), target.graph()) << '\n';
        std::cout << matchCount(found.size()) << '\n';
        return found.size();
    }

    size_t replace(OpenedModel& target) const {
        const Pass& pass = findPass("replace");
        std::map<std::string, std::string> texts = {{"ignore-literals", ignoresLiterals ? "true" : "false"},
                                                    {"node-name", nodeNameContains}};
        for (const PatternOption* option : {&pattern, &replacement}) {
            texts[option->name] = option->path;
            texts[option->name + "-text"] = option->text;
        }
        const PassReport report =
            runPassHere(target, target.model.root(), pass, PassOptions(pass, texts), {});
        for (const std::string& line : report.results)
            std::cout << line << '\n';
        return report.results.size() - 1; // the last is their number
    }

    SubgraphMatcher matcher(const Model& wanted) const {
        MatchOptions options;
        options.ignoreLiterals = ignoresLiterals;
        return SubgraphMatcher({&wanted, wanted.root()}, options);
    }

    /// Of a graph in which nothing was found, and nothing replaced.
    std::string explanation(const Model& target) const {
        const Model wanted = pattern.open();
        constexpr size_t kShown = 10;
        const SubgraphMatcher patternMatcher = matcher(wanted);
        const OwnedGraph graph{&target, target.root()};
        std::string text;
        for (const NearMiss& miss : explainMisses(patternMatcher, graph, kShown))
            text += nearMissText(miss, patternMatcher, graph) + '\n';
        return text.empty() ? "nothing of the pattern is in the graph\n" : text;
    }
};

} // namespace

void addReplace(CLI::App& app) {
    auto command = std::make_shared<ReplaceCommand>();
    CLI::App* parser = app.add_subcommand("replace", "replace each occurrence of a pattern in the graph");
    command->model.addTo(*parser);
    command->pattern.addTo(*parser, "what to look for");
    command->replacement.addTo(*parser, "what to put there");
    command->model.asOutput(parser->add_option(
        "-o,--out", command->out,
        "where to write the result: .pt2, .pt, .fxg, .py, or a folder ending in /; without it "
        "the graph is printed"));
    parser->add_option("--name", command->className, "the name of the class, for a folder")
        ->capture_default_str();
    parser->add_flag("--explain", command->explains,
                     "if nothing matches, list the places that come nearest, and why");
    parser->add_flag("--match-only", command->onlyMatches, "list the matches and change nothing");
    parser->add_flag("--ignore-literals", command->ignoresLiterals,
                     "any value will do where the pattern has a constant");
    parser
        ->add_option("--node-name", command->nodeNameContains,
                     "a node with this in its name matches a result of the pattern, whatever it calls")
        ->type_name("TEXT");
    parser->footer(
        "Patterns and replacements are matched as torch.fx's replace_pattern does. They need the same "
        "inputs.\n\n"
        "Examples:\n"
        "  fxscope replace model.pt2 --pattern fuse.py:before --replacement fuse.py:after -o fused.fxg\n"
        "  fxscope replace net.py:Net() --pattern-text 'lambda x: torch.relu(x)' --match-only\n"
        "  fxscope replace model.fxg --pattern-text 'lambda x: x * 3' --replacement-text 'lambda x: x + x + "
        "x' "
        "--explain");
    parser->callback([command] { (*command)(); });
}

} // namespace fx::cli
