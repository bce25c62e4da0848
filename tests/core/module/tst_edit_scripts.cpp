// SPDX-License-Identifier: GPL-3.0-or-later
// 1,000 random scripts of 30 edits, done by the real torch.fx (tests/oracle/make_edits.py) and here: after
// each step the graph's text, the order of users, errors and generated code are equal; then all is undone and
// done again.
#include "core/codegen/python_code.h"
#include "core/io/mapped_file.h"
#include "core/ir/graph_text.h"
#include "tests/support/edit_script.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

namespace fx::edit_scripts_test {

class TestEditScripts : public QObject {
    Q_OBJECT

private:
    Json m_scripts;

private Q_SLOTS:
    void initTestCase() {
        m_scripts = Json::parse(readFile(FXSCOPE_ORACLE "/edits.json"));
        QVERIFY(m_scripts.size() >= 100);
    }

    void equalsTorchFx_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < m_scripts.size(); ++i)
            QTest::addRow("script %zu", i) << i;
    }
    void equalsTorchFx() {
        QFETCH(size_t, index);
        const Json& script = m_scripts[index];
        Model model = scriptModel();
        ScriptRunner runner(model);
        PythonCode code(model, model.root());
        std::vector<Changes> history;
        std::vector<std::string> states{runner.state()}, codes{code.text()};
        for (const Json& step : script) {
            const std::string label =
                "step " + std::to_string(history.size()) + ' ' + step["verb"].get<std::string>() + ": ";
            const auto same = [&](const std::string& actual, const std::string& expected) {
                const std::string difference = textDifference(actual, expected);
                return difference.empty() ? difference : label + difference;
            };
            const ScriptRunner::Outcome outcome = runner.perform(step);
            FX_SAME(same(runner.state(), step["state"]));
            FX_SAME(same(outcome.error, step.value("error", "")));
            if (step.contains("result"))
                QCOMPARE(outcome.result.dump(), step["result"].dump());
            code.update(outcome.changes);
            FX_SAME(same(code.text(), PythonCode(model, model.root()).text()));
            if (step.contains("code"))
                FX_SAME(same(code.text(), step["code"]));
            if (step.contains("table"))
                FX_SAME(same(tabularText(model.graph()), step["table"]));
            history.push_back(outcome.changes);
            states.push_back(runner.state());
            codes.push_back(code.text());
        }
        for (size_t i = history.size(); i-- > 0;) {
            undo(model, history[i]);
            code.update(history[i]);
            FX_SAME(textDifference(runner.state(), states[i]));
            FX_SAME(textDifference(code.text(), codes[i]));
        }
        for (size_t i = 0; i < history.size(); ++i) {
            redo(model, history[i]);
            code.update(history[i]);
            FX_SAME(textDifference(runner.state(), states[i + 1]));
            FX_SAME(textDifference(code.text(), codes[i + 1]));
        }
    }
};

FX_TEST(TestEditScripts)
} // namespace fx::edit_scripts_test
#include "tst_edit_scripts.moc"
