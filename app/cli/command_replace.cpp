// SPDX-License-Identifier: GPL-3.0-or-later
// replace: finds a pattern in a graph, and puts another graph in its place.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/ir/argument_text.h"
#include "core/ir/graph_text.h"
#include "core/rewrite/explain.h"
#include "core/rewrite/pattern_source.h"
#include "core/rewrite/replace_pattern.h"

#include <iostream>

namespace fx {

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

void printMatch(size_t number, const PatternMap& nodes, const Graph& pattern, const Graph& graph) {
    std::cout << "match " << number << '\n';
    for (const PatternMap::Entry& entry : nodes.entries())
        std::cout << "  " << oneLine(pattern.node(entry.pattern).name) << " -> "
                  << oneLine(reprText(entry.value, [&](NodeId id) { return graph.node(id).name; })) << '\n';
}

std::string countText(size_t count, const char* done) {
    return std::to_string(count) + (count == 1 ? " match" : " matches") + done + '\n';
}

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
        const Model wanted = pattern.open();
        // Asked before anything is replaced: a near miss is a place of the graph as it is.
        const std::string misses = explains ? explanation(wanted, opened.model) : "";
        const size_t count = onlyMatches ? match(wanted, opened.model) : replace(wanted, opened.model);
        if (count == 0)
            std::cerr << "note: the pattern is not found"
                      << (explains ? "" : "; --explain lists the places that come nearest") << '\n';
        if (count == 0)
            std::cout << shownLines(misses);
        if (!out.empty())
            writeModel(opened, out, className);
        else if (!onlyMatches && count > 0)
            std::cout << shownLines(graphText(opened.model.graph())) << '\n';
    }

private:
    size_t match(const Model& wanted, const Model& target) const {
        const std::vector<SubgraphMatch> found =
            matcher(wanted).match({&target, target.root()}, nodeNameContains);
        for (size_t i = 0; i < found.size(); ++i)
            printMatch(i + 1, found[i].nodes, wanted.graph(), target.graph());
        std::cout << countText(found.size(), "");
        return found.size();
    }

    size_t replace(const Model& wanted, Model& target) const {
        const Model fresh = replacement.open();
        ReplaceOptions options;
        options.ignoreLiterals = ignoresLiterals;
        options.nodeNameContains = nodeNameContains;
        options.isModule = holdsState(fresh);
        for (const std::string& path : shadowedConstants(target, fresh))
            std::cerr << "note: where the replacement reads '" << oneLine(path)
                      << "', it gets what the model has there\n";
        Edit edit(target);
        const std::vector<ReplacedPattern> done = replacePattern(edit, wanted, fresh, options);
        edit.finish();
        for (size_t i = 0; i < done.size(); ++i)
            printMatch(i + 1, done[i].nodes, wanted.graph(), target.graph());
        std::cout << countText(done.size(), " replaced");
        return done.size();
    }

    SubgraphMatcher matcher(const Model& wanted) const {
        MatchOptions options;
        options.ignoreLiterals = ignoresLiterals;
        return SubgraphMatcher({&wanted, wanted.root()}, options);
    }

    std::string explanation(const Model& wanted, const Model& target) const {
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
    parser->add_option(
        "-o,--out", command->out,
        "where to write the result: .fxg, .py, or a folder ending in /; without it the graph is printed");
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

} // namespace fx
