// SPDX-License-Identifier: GPL-3.0-or-later
// Scopes under another name, by F2: what is open and selected stays so, and undo brings the name back.
#include "core/base/text.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/support/qt_text.h"

#include <QLabel>
#include <QLineEdit>

namespace fx::ui::renaming_test {

class TestRenaming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void aScopeIsRenamedByF2() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        QVERIFY(before.contains("getattr(self.layer1, \"0\").conv1.weight"));
        select("layer1.0");
        probe.selection().setExpanded("layer1.0", true);
        QVERIFY(probe.waitForLayout());
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Scope").text(), "layer1.0");
            auto& name = findIn<QLineEdit>(dialog, "Name");
            QTRY_VERIFY(name.hasFocus());
            QCOMPARE(name.selectedText(), "0");
            QTest::keyClicks(&name, "first");
            // What it will do is said before.
            QTRY_VERIFY2(said(dialog).startsWith("layer1.0 is layer1.first: "), qPrintable(said(dialog)));
            QTest::keyClick(&name, Qt::Key_Return);
        });
        probe.canvas().setFocus();
        probe.press(Qt::Key_F2);
        QTRY_VERIFY2(probe.code().text().contains("self.layer1.first.conv1.weight"),
                     qPrintable(probe.code().text()));
        QCOMPARE(probe.selection().scope(), "layer1.first");
        QVERIFY(probe.selection().isExpanded("layer1.first"));
        QVERIFY(probe.waitForLayout());
        QVERIFY(probe.canvas().geometry().scopeBox("layer1.first") >= 0);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QVERIFY2(probe.statusText().startsWith("Finished"), qPrintable(probe.statusText()));
        // One step of undo.
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(probe.code().text(), before);
        QCOMPARE(probe.selection().scope(), "layer1.0");
        QVERIFY(probe.selection().isExpanded("layer1.0"));
    }

    void aNameThatIsTakenIsRefusedBeforeItIsRun() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        select("layer1.0");
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            auto& name = findIn<QLineEdit>(dialog, "Name");
            QTest::keyClicks(&name, "1");
            QTRY_VERIFY2(said(dialog).contains("there is 'layer1.1' already"), qPrintable(said(dialog)));
            QCOMPARE(dialog.findChild<QLabel*>("fault")->text(), said(dialog));
            dialog.reject();
        });
        probe.canvas().setFocus();
        probe.press(Qt::Key_F2);
        QCOMPARE(probe.code().text(), before);
    }

    void nodesAreGroupedByKeys() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        probe.select("relu_1");
        const std::string home = scopeOf("relu_1");
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), "relu_1");
            auto& name = findIn<QLineEdit>(dialog, "Name");
            name.setFocus();
            name.selectAll();
            QTest::keyClicks(&name, "gate");
            QTRY_VERIFY2(said(dialog).contains("gate: 1 node"), qPrintable(said(dialog)));
            QTest::keyClick(&name, Qt::Key_Return);
        });
        probe.canvas().setFocus();
        probe.press(Qt::Key_G, Qt::ControlModifier | Qt::AltModifier);
        const std::string gate = home.empty() ? "gate" : home + ".gate";
        QTRY_COMPARE(scopeOf("relu_1"), gate);
        QCOMPARE(probe.code().text(), before);
        QVERIFY(probe.waitForLayout());
        // And taken apart again, by the scope that is selected.
        select(gate.c_str());
        withDialog([gate](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            auto& scope = findIn<QLineEdit>(dialog, "Scope");
            QCOMPARE(scope.text(), QString::fromStdString(gate));
            QTest::keyClick(&scope, Qt::Key_Return);
        });
        probe.window().actions().pass("ungroup")->trigger();
        QTRY_COMPARE(scopeOf("relu_1"), home);
    }

private:
    std::string scopeOf(const char* node) {
        const ScopeTree& scopes = m_probe->selection().scopes();
        return scopes.scope(scopes.scopeOf(m_probe->node(node).node)).path;
    }
    void select(const char* scope) {
        m_probe->selection().revealScope(scope);
        m_probe->selection().selectScope(scope);
        QVERIFY(m_probe->waitForLayout());
    }
    static QString said(QDialog& dialog) { return findIn<QLabel>(dialog, "What it does").text(); }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestRenaming)
} // namespace fx::ui::renaming_test
#include "tst_renaming.moc"
