// SPDX-License-Identifier: GPL-3.0-or-later
// 1,000 random edit sequences on the oracle's models: code kept in step equals code made anew after each
// edit; undo to the start brings back every text and id, redo the end.
#include "core/codegen/python_code.h"
#include "core/module/edit.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random_edits.h"
#include "tests/support/test_program.h"

namespace fx::random_edits_test {

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

FX_TEST(TestRandomEdits)
} // namespace fx::random_edits_test
#include "tst_random_edits.moc"
