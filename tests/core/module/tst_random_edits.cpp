// SPDX-License-Identifier: GPL-3.0-or-later
// 1,000 random edit sequences on the oracle's models: code kept in step equals code made anew after each
// edit; undo to the start brings back every text and id, redo the end.
#include "core/codegen/python_code.h"
#include "core/module/edit.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"

#include <QtTest>

#include <random>

using namespace fx;

namespace {

class RandomEdits {
public:
    RandomEdits(Model& model, unsigned seed) : m_model(model), m_random(seed) {}

    /// One to three random verbs as one edit.
    Changes edit() {
        Edit edit(m_model);
        for (size_t count = 1 + below(3); count > 0; --count)
            verb(edit);
        return edit.finish();
    }

private:
    size_t below(size_t count) { return m_random() % count; }
    NodeId pick(const Graph& graph) {
        NodeId id = graph.first();
        for (size_t steps = below(graph.size()); steps > 0; --steps)
            id = graph.node(id).next;
        return id;
    }
    void verb(Edit& edit) {
        static const char* kFunctions[] = {"torch.ops.aten.relu.default", "operator.add", "math.trunc",
                                           "operator.abs", "sum"};
        static const char* kNames[] = {"x",   "linear",      "add_1", "math_trunc", "_operator_abs",
                                       "sum", "p_fc_weight", "view"};
        const NodeId a = pick(edit.graph()), b = pick(edit.graph());
        switch (below(9)) {
        case 0: {
            const auto point = edit.insertingBefore(a);
            edit.callFunction(kFunctions[below(std::size(kFunctions))], {b, b});
            break;
        }
        case 1:
            for (const Node& node : edit.graph())
                if (node.users.empty()) {
                    edit.eraseNode(node.id);
                    break;
                }
            if (edit.graph().size() == 0)
                edit.placeholder("x");
            break;
        case 2:
            edit.moveBefore(a, b);
            break;
        case 3:
            edit.moveAfter(a, b);
            break;
        case 4:
            edit.replaceAllUsesWith(a, b);
            break;
        case 5:
            edit.rename(a, kNames[below(std::size(kNames))]);
            break;
        case 6:
            edit.updateKwarg(a, "extra", b);
            break;
        case 7:
            edit.setMeta(a, meta::kCustom, MetaValue(std::string("mark")));
            break;
        default:
            edit.insertArg(a, 0, b);
        }
    }
    Model& m_model;
    std::mt19937 m_random;
};

} // namespace

class TestRandomEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void survivesUndoAndRedo_data() { addOracleRows(); }
    void survivesUndoAndRedo() {
        QFETCH(QString, name);
        Model model = openOracle(name.toStdString()).model;
        constexpr unsigned kSequences = 14, kEdits = 6;
        for (unsigned seed = 0; seed < kSequences; ++seed) {
            RandomEdits random(model, seed * 1000 + static_cast<unsigned>(qHash(name, 7)));
            PythonCode code(model, model.root());
            const std::string start = modelState(model), startCode = code.text();
            std::vector<Changes> history;
            for (unsigned i = 0; i < kEdits; ++i) {
                history.push_back(random.edit());
                code.update(history.back());
                FX_SAME(textDifference(code.text(), PythonCode(model, model.root()).text()));
            }
            const std::string end = modelState(model), endCode = code.text();
            for (size_t i = history.size(); i-- > 0;) {
                undo(model, history[i]);
                code.update(history[i]);
            }
            FX_SAME(textDifference(modelState(model), start));
            FX_SAME(textDifference(code.text(), startCode));
            for (const Changes& changes : history) {
                redo(model, changes);
                code.update(changes);
            }
            FX_SAME(textDifference(modelState(model), end));
            FX_SAME(textDifference(code.text(), endCode));
            for (size_t i = history.size(); i-- > 0;)
                undo(model, history[i]);
        }
    }
};

QTEST_GUILESS_MAIN(TestRandomEdits)
#include "tst_random_edits.moc"
