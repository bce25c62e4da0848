// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of pattern replacement, each done by the real torch.fx (make_replaces.py) and here: matches, names,
// the text and the code of the graph, the order of readers, modules and errors are equal; then all is undone.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/io/mapped_file.h"
#include "core/ir/argument_text.h"
#include "core/ir/graph_text.h"
#include "core/rewrite/literals.h"
#include "core/rewrite/replace_pattern.h"
#include "tests/support/json_model.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

namespace fx::replaces_test {

namespace {

std::string pythonText(const Argument& value, const Graph& graph) {
    return reprText(value, [&](NodeId id) { return graph.node(id).name; });
}

Json matchJson(NodeId anchor, const PatternMap& nodes, const Graph& pattern, const Graph& graph) {
    Json entries = Json::array();
    for (const PatternMap::Entry& entry : nodes.entries())
        entries.push_back({pattern.node(entry.pattern).name, pythonText(entry.value, graph)});
    return {{"anchor", pattern.node(anchor).name}, {"nodes", std::move(entries)}};
}

std::vector<std::vector<std::string>> usersOf(const Graph& graph) {
    std::vector<std::vector<std::string>> out;
    for (const Node& node : graph) {
        out.emplace_back();
        for (NodeId user : node.users)
            out.back().push_back(graph.node(user).name);
    }
    return out;
}

/// Whether a match fulfils {"placeholder": i, "is": value}.
std::function<bool(const SubgraphMatch&)> condition(const Json& rule) {
    return [index = rule["placeholder"].get<size_t>(),
            wanted = literalFromJson(rule["is"])](const SubgraphMatch& match) {
        return isSameLiteral(match.placeholders[index], wanted, NodesAre::OfOneGraph);
    };
}

ReplaceOptions optionsOf(const Json& row) {
    ReplaceOptions options;
    options.ignoreLiterals = row["options"].value("ignore_literals", false);
    options.nodeNameContains = row["options"].value("node_name_match", "");
    options.isModule = row.value("is_module", false);
    if (row.contains("filter"))
        options.filters = {[holds = condition(row["filter"])](const SubgraphMatch& match, const Graph&,
                                                              const Graph&) { return holds(match); }};
    if (row.contains("choice"))
        options.callback = [holds = condition(row["choice"]),
                            choice = row["choice"]](const SubgraphMatch& match, const Graph&, const Graph&) {
            return modelFromJson(choice[holds(match) ? "then" : "else"]);
        };
    return options;
}

MatchOptions matchOptionsOf(const Json& options) {
    MatchOptions out;
    out.matchOutput = options.value("match_output", false);
    out.matchPlaceholder = options.value("match_placeholder", false);
    out.removeOverlapping = options.value("remove_overlapping_matches", true);
    out.ignoreLiterals = options.value("ignore_literals", false);
    return out;
}

} // namespace

class TestReplaces : public QObject {
    Q_OBJECT

private:
    Json m_rows;

    static std::vector<ReplacedPattern> replace(Edit& edit, const Model& pattern, const Json& row) {
        if (!row.contains("replacement"))
            return replacePattern(edit, pattern, optionsOf(row));
        return replacePattern(edit, pattern, modelFromJson(row["replacement"]), optionsOf(row));
    }

private Q_SLOTS:
    void initTestCase() {
        m_rows = Json::parse(readFile(FXSCOPE_ORACLE "/replaces.json"));
        QVERIFY(m_rows.size() >= 300);
    }

    void equalsTorchFx_data() { addRowsOf(m_rows); }
    void equalsTorchFx() {
        QFETCH(size_t, index);
        const Json &row = m_rows[index], &expected = row["expected"];
        Model model = modelFromJson(row["model"]);
        const Model pattern = modelFromJson(row["pattern"]);
        if (row.contains("match")) {
            Json outcome = Json::object();
            try {
                const SubgraphMatcher matcher({&pattern, pattern.root()}, matchOptionsOf(row["match"]));
                outcome["matches"] = Json::array();
                for (const SubgraphMatch& match : matcher.match({&model, model.root()}))
                    outcome["matches"].push_back(
                        matchJson(match.anchor, match.nodes, pattern.graph(), model.graph()));
            } catch (const Error& refusal) {
                outcome = {{"error", {refusal.kind(), refusal.message()}}};
            }
            FX_SAME(textDifference(outcome.dump(), expected.dump()));
            return;
        }
        const std::string textBefore = graphText(model.graph());
        const std::vector<std::vector<std::string>> usersBefore = usersOf(model.graph());
        const Json treeBefore = treeJson(model);
        Changes changes;
        std::vector<std::string> error;
        {
            Edit edit(model);
            try {
                Json matches = Json::array();
                for (const ReplacedPattern& done : replace(edit, pattern, row)) {
                    Json match = matchJson(done.anchor, done.nodes, pattern.graph(), model.graph());
                    match["replacements"] = Json::array();
                    for (NodeId id : done.replacements)
                        match["replacements"].push_back(model.graph().node(id).name);
                    matches.push_back(std::move(match));
                }
                FX_SAME(textDifference(matches.dump(), expected.value("matches", Json()).dump()));
                changes = edit.finish();
            } catch (const Error& refusal) {
                // What the graph itself refuses is a RuntimeError in torch.fx.
                error = {refusal.kind().empty() ? "RuntimeError" : refusal.kind(), refusal.message()};
            }
        }
        FX_SAME(textDifference(join(error, ": "),
                               join(expected.value("error", std::vector<std::string>()), ": ")));
        if (error.empty()) {
            FX_SAME(textDifference(graphText(model.graph()), expected["graph"]));
            FX_SAME(textDifference(PythonCode(model, model.root()).text(), expected["code"]));
            QCOMPARE(usersOf(model.graph()),
                     (expected["users"].get<std::vector<std::vector<std::string>>>()));
            if (expected.contains("tree"))
                FX_SAME(textDifference(treeJson(model).dump(), expected["tree"].dump()));
            undo(model, changes);
        }
        FX_SAME(textDifference(graphText(model.graph()), textBefore));
        QCOMPARE(usersOf(model.graph()), usersBefore);
        QCOMPARE(treeJson(model).dump(), treeBefore.dump());
    }
};

FX_TEST(TestReplaces)
} // namespace fx::replaces_test
#include "tst_replaces.moc"
