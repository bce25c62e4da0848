// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/replace_pass.h"

#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/ir/argument_text.h"
#include "core/passes/new_calls.h"
#include "core/passes/operator_calls.h"
#include "core/passes/pass_options.h"
#include "core/rewrite/pattern_source.h"
#include "core/rewrite/replace_pattern.h"

namespace fx {

namespace {

/// What --NAME or --NAME-text says.
Model modelOf(const std::string& name, const PassOptions& options, const PassContext& context) {
    const std::string &path = options.text(name), &text = options.text(name + "-text");
    if (path.empty() == text.empty())
        throw Error("--" + name,
                    path.empty() ? "is needed by replace" : "is given twice, as a path and as text")
            .hint("give --" + name + " or --" + name + "-text");
    if (!text.empty())
        return tracePatternText(text, "--" + name + "-text");
    if (!context.open)
        throw Error("--" + name, "cannot be opened here").hint("give --" + name + "-text");
    return context.open(path);
}

} // namespace

void runReplace(Edit& edit, const PassOptions& options, PassContext& context) {
    const Model pattern = patternFor(edit.graph(), modelOf("pattern", options, context));
    const Model fresh = patternFor(edit.graph(), modelOf("replacement", options, context));
    ReplaceOptions how;
    how.ignoreLiterals = options.flag("ignore-literals");
    how.nodeNameContains = options.text("node-name");
    how.isModule = holdsState(fresh);
    how.keepsScope = true;
    for (const std::string& path : shadowedConstants(edit.model(), fresh))
        context.warnings.push_back("where the replacement reads '" + path +
                                   "', it gets what the model has there");
    NewCalls calls(edit);
    const std::vector<ReplacedPattern> done = replacePattern(edit, pattern, fresh, how);
    std::vector<NodeId> made;
    for (const ReplacedPattern& each : done)
        made.insert(made.end(), each.replacements.begin(), each.replacements.end());
    calls.finish(made, ShapeRule::Unchecked);
    for (size_t i = 0; i < done.size(); ++i)
        context.results.push_back(matchLines(i + 1, done[i].nodes, pattern.graph(), edit.graph()));
    context.results.push_back(matchCount(done.size()) + " replaced");
}

std::string matchLines(size_t number, const PatternMap& nodes, const Graph& pattern, const Graph& graph) {
    std::string out = "match " + std::to_string(number);
    for (const PatternMap::Entry& entry : nodes.entries())
        out += "\n  " + oneLine(pattern.node(entry.pattern).name) + " -> " +
               oneLine(reprText(entry.value, [&](NodeId id) { return graph.node(id).name; }));
    return out;
}

std::string matchCount(size_t count) {
    return std::to_string(count) + (count == 1 ? " match" : " matches");
}

std::vector<PassOption> replaceOptions() {
    using enum OptionType;
    return {{"pattern", Path, "what to look for: FILE.py:FUNCTION, or any MODEL"},
            {"pattern-text", String, "what to look for as Python: 'lambda x, y: torch.relu(x + y)'"},
            {"replacement", Path, "what to put there: FILE.py:FUNCTION, or any MODEL"},
            {"replacement-text", String, "what to put there as Python"},
            {"ignore-literals", Bool, "any value will do where the pattern has a constant"},
            {"node-name", String,
             "a node with this in its name matches a result of the pattern, whatever it calls"}};
}

} // namespace fx
