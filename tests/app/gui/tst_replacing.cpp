// SPDX-License-Identifier: GPL-3.0-or-later
// Replace by pattern: places ticked, walked and lit, what would become of them, patterns made of nodes; and
// recipes of what was done.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/still_graph.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

namespace fx::ui::replacing_test {

class TestReplacing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
        m_probe->window().actions()["verifyPasses"]->trigger();
    }
    void cleanup() { m_probe.reset(); }

    void onlyTickedPlacesAreReplaced() {
        const int before = countOf("aten.relu.default");
        withDialog([this, before](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& matches = write(dialog, "lambda x: aten.relu.default(x)", "lambda x: aten.tanh.default(x)");
            QTRY_COMPARE(matches.count(), before);
            QTRY_COMPARE(button(dialog, "Replace all").isEnabled(), true);
            // All are lit on the canvas behind it.
            QCOMPARE(m_probe->selection().matches().all().size(), static_cast<size_t>(before));
            // The second one is not wanted.
            matches.setFocus();
            QTRY_COMPARE(matches.currentRow(), 0);
            QTest::keyClick(&matches, Qt::Key_J);
            QCOMPARE(matches.currentRow(), 1);
            const NodeId left = m_probe->selection().currentNode();
            QCOMPARE(m_probe->selected(), matches.currentItem()->text().section(' ', 0, 0));
            QTest::keyClick(&matches, Qt::Key_Space);
            QCOMPARE(m_probe->selection().matches().all().size(), static_cast<size_t>(before - 1));
            QPushButton& apply = button(dialog, QString("Replace %1 places").arg(before - 1));
            QTest::keyClick(&matches, Qt::Key_K);
            QCOMPARE(matches.currentRow(), 0);
            QTest::mouseClick(&apply, Qt::LeftButton);
            QTRY_COMPARE(matches.count(), 1);
            QCOMPARE(m_probe->workspace().document().model().graph().node(left).target.name(),
                     "torch.ops.aten.relu.default");
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
        QCOMPARE(countOf("aten.relu.default"), 1);
        QVERIFY(m_probe->selection().matches().all().empty());
    }

    void whatAPlaceBecomesIsShownBeforeItIsDone() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& matches = write(dialog, "lambda x: aten.relu.default(x)",
                                  "lambda x: aten.tanh.default(aten.neg.default(x))");
            QTRY_VERIFY(matches.count() > 1);
            QTRY_VERIFY(after(dialog));
            QTest::keyClick(&matches, Qt::Key_J);
            QTest::keyClick(&matches, Qt::Key_J);
            const std::vector<NodeId> fresh = after(dialog)->selection().nodes();
            QCOMPARE(fresh.size(), 2U);
            QCOMPARE(after(dialog)->graph().node(fresh.back()).target.name(), "torch.ops.aten.tanh.default");
            QVERIFY(after(dialog)->selection().part());
            // They belong to the block of what they take the place of.
            const ModuleStack* stack =
                after(dialog)->graph().node(fresh.back()).meta.find<ModuleStack>(meta::kModuleStack);
            QVERIFY(stack && stack->back().path.starts_with("layer1.0"));
            // And they have its line of the source, and shapes.
            for (const NodeId each : fresh) {
                const Node& node = after(dialog)->graph().node(each);
                QVERIFY(node.meta.find(meta::kStackTrace));
                const ValueMeta* value = knownValue(node.meta);
                QVERIFY(value && std::holds_alternative<TensorMeta>(value->value));
            }
            // A place without a tick stays as it is.
            QTest::keyClick(&matches, Qt::Key_Space);
            QTRY_VERIFY(after(dialog) && after(dialog)->selection().nodes().size() == 1);
            const NodeId same = after(dialog)->selection().currentNode();
            QCOMPARE(after(dialog)->graph().node(same).target.name(), "torch.ops.aten.relu.default");
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
        QVERIFY(!m_probe->workspace().document().undoStack().canUndo());
    }

    void noPlaceIsToldLoudlyWithTheNearest() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& matches = write(dialog, "lambda x: aten.relu.default(aten.neg.default(x))",
                                  "lambda x: aten.tanh.default(x)");
            QTRY_VERIFY(matches.count() > 0);
            const auto* alarm = dialog.findChild<QLabel*>("fault");
            QVERIFY(alarm->isVisible());
            QCOMPARE(alarm->text(), "No place fits.");
            QVERIFY(matches.item(0)->text().contains("1 of 2 nodes fit"));
            QVERIFY(!button(dialog, "Replace all").isEnabled());
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
    }

    void aPatternIsMadeOfTheSelection() {
        m_probe->select("relu");
        withDialog([this](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& matches = findIn<QListWidget>(dialog, "Matches");
            const QString text = findIn<QPlainTextEdit>(dialog, "Pattern").toPlainText();
            QVERIFY2(text.startsWith("def same(") && text.contains("torch.ops.aten.relu.default("),
                     qPrintable(text));
            QCOMPARE(findIn<QPlainTextEdit>(dialog, "Replacement").toPlainText(), text);
            QTRY_COMPARE(matches.count(), countOf("aten.relu.default"));
            dialog.reject();
        });
        m_probe->press(Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void stepsAreSavedAndReplayed() {
        const int relus = countOf("aten.relu.default");
        m_probe->select("relu");
        m_probe->press(Qt::Key_F2);
        m_probe->type("first");
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(m_probe->node("first").node);
        withDialog([relus](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& matches = write(dialog, "lambda x: aten.relu.default(x)", "lambda x: aten.tanh.default(x)");
            QTRY_COMPARE(matches.count(), relus);
            QTRY_VERIFY(button(dialog, "Replace all").isEnabled());
            QTest::mouseClick(&button(dialog, "Replace all"), Qt::LeftButton);
            QTRY_COMPARE(matches.count(), 0);
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
        const QString path = m_probe->settings().path("steps.fxrecipe");
        answerFileDialog(path);
        m_probe->window().actions()["saveRecipe"]->trigger();
        QTRY_COMPARE(m_probe->toast(), "Saved steps.fxrecipe with 2 steps");
        const QString code = m_probe->code().text();
        const QStringList scopes = scopesOf("aten.tanh.default");
        QVERIFY2(scopes.join(' ').contains("layer1.0"), qPrintable(scopes.join(' ')));
        m_probe->workspace().document().undoStack().setIndex(0);
        QTRY_COMPARE(countOf("aten.relu.default"), relus);
        answerFileDialog(path);
        m_probe->window().actions()["applyRecipe"]->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->toast(), "2 steps of the recipe done.", 60000);
        QTRY_COMPARE(m_probe->code().text(), code);
        QCOMPARE(scopesOf("aten.tanh.default"), scopes);
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 2);
    }

    /// A file from elsewhere starts no other program by itself.
    void aRecipeThatStartsPythonIsAskedAbout() {
        const QString path = m_probe->settings().path("compiling.fxrecipe");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(R"({"fxrecipe": 1, "steps": [{"pass": "lower", "options": {"to": "aotinductor"}}]})");
        file.close();
        QString asked;
        withDialog([&](QDialog& files) {
            auto* line = files.findChild<QLineEdit*>("fileNameEdit");
            line->setText(path);
            withDialog([&asked](QDialog& dialog) {
                asked = dialog.findChild<QLabel*>("qt_msgbox_label")->text();
                dialog.reject();
            });
            QTest::keyClick(line, Qt::Key_Return);
        });
        m_probe->window().actions()["applyRecipe"]->trigger();
        QCOMPARE(asked, "This recipe starts python3 with PyTorch.");
        QVERIFY(!m_probe->workspace().passes().isWorking());
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 0);
    }

    void aStepThatDoesNotFitIsNamed() {
        const QString path = m_probe->settings().path("other.fxrecipe");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(R"({"fxrecipe": 1, "steps": [{"pass": "dead-code"},
            {"pass": "edit-code", "options": {"patch": "@@ -1,1 +1,1 @@\n-nothing\n+something\n"}}]})");
        file.close();
        answerFileDialog(path);
        m_probe->window().actions()["applyRecipe"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->toast().startsWith("step 2 of 2, edit-code: patch:1: "), 60000);
    }

private:
    static QListWidget& write(QDialog& dialog, const QString& pattern, const QString& replacement) {
        findIn<QPlainTextEdit>(dialog, "Pattern").setPlainText(pattern);
        findIn<QPlainTextEdit>(dialog, "Replacement").setPlainText(replacement);
        return findIn<QListWidget>(dialog, "Matches");
    }
    static QPushButton& button(QDialog& dialog, const QString& text) {
        for (QPushButton* each : dialog.findChildren<QPushButton*>())
            if (each->text() == text)
                return *each;
        qFatal("no button is called %s", qPrintable(text));
    }
    /// Of all calls of it, in graph order.
    QStringList scopesOf(const QString& target) {
        QStringList out;
        for (const Node& node : m_probe->workspace().document().model().graph())
            if (qt(node.target.name()).endsWith(target)) {
                const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
                out << (stack && !stack->empty() ? qt(stack->back().path) : QString());
            }
        return out;
    }
    static StillGraph* after(QDialog& dialog) {
        const auto* canvas = dialog.findChild<CanvasView*>();
        return canvas ? static_cast<StillGraph*>(canvas->parentWidget()) : nullptr;
    }
    int countOf(const QString& target) {
        int out = 0;
        for (const Node& node : m_probe->workspace().document().model().graph())
            out += QString::fromStdString(node.target.name()).endsWith(target);
        return out;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestReplacing)
} // namespace fx::ui::replacing_test
#include "tst_replacing.moc"
