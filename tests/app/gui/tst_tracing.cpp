// SPDX-License-Identifier: GPL-3.0-or-later
// Python source in the window: tracing with options, editing the generated code, replacing by pattern.
#include "tests/app/gui/window_probe.h"
#include "widgets/panes/replace_dialog.h"
#include "widgets/panes/trace_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

using namespace fx;

class TestTracing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile source(m_folder->filePath("net.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
                     "    def __init__(self, depth=2):\n        super().__init__()\n"
                     "        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])\n\n"
                     "    def forward(self, x, flag=False):\n        for layer in self.layers:\n"
                     "            x = torch.relu(layer(x))\n        return x * 2 if flag else x\n\n\n"
                     "def double(x):\n    return x * 2\n");
        source.close();
        m_probe = std::make_unique<WindowProbe>();
    }
    void cleanup() { m_probe.reset(); }

    void tracesWithOptions() {
        open("Net(depth=3)", "flag=True");
        QCOMPARE(m_probe->workspace().document().model().graph().findNodes(Opcode::CallModule).size(),
                 size_t(3));
        QVERIFY(m_probe->code().text().contains("layers_2 = getattr(self.layers, \"2\")(relu_1)"));
        QVERIFY(m_probe->code().text().contains("torch._assert("));
        QVERIFY(m_probe->code().text().contains("mul = relu_2 * 2"));
    }

    void typedCodeBecomesAnEdit() {
        open("double", "");
        const QString before = m_probe->code().text();
        CodeView& view = m_probe->code();
        QVERIFY(before.contains("mul = x * 2"));
        edit(before, "mul = x * 2", "mul = x * 3");
        QTRY_VERIFY(m_probe->window().actions().undo->isEnabled());
        QCOMPARE(m_probe->workspace().document().model().graph().node(m_probe->node("mul").node).args[1],
                 Argument(3));
        QVERIFY(view.fault().isEmpty());
        m_probe->window().actions().undo->trigger();
        QCOMPARE(view.text(), before);
    }

    void codeThatIsNoGraphIsUnderlined() {
        open("double", "");
        const QString before = m_probe->code().text();
        edit(before, "mul = x * 2", "mul = z * 2");
        QTRY_VERIFY(m_probe->code().fault().contains("'z' is no node of this graph"));
        QVERIFY(!m_probe->window().actions().undo->isEnabled());
    }

    void replacesByPattern() {
        open("Net()", "flag=False");
        withDialog([](QDialog& dialog) {
            auto& pattern = find<QPlainTextEdit>(dialog, "Pattern");
            auto& matches = find<QListWidget>(dialog, "Matches");
            pattern.setPlainText("lambda x: torch.relu(x)");
            find<QPlainTextEdit>(dialog, "Replacement").setPlainText("lambda x: torch.nn.functional.gelu(x)");
            QTRY_COMPARE(matches.count(), 2);
            auto* apply = dialog.findChild<QDialogButtonBox*>()->buttons().last();
            for (QAbstractButton* button : dialog.findChild<QDialogButtonBox*>()->buttons())
                if (button->text() == "Replace all")
                    apply = button;
            QTRY_VERIFY(apply->isEnabled());
            QTest::mouseClick(apply, Qt::LeftButton);
            QTRY_COMPARE(matches.count(), 0);
            dialog.reject();
        });
        m_probe->window().actions().replace->trigger();
        QVERIFY(!m_probe->code().text().contains("torch.relu("));
        QCOMPARE(m_probe->code().text().count("gelu("), 2);
        QCOMPARE(m_probe->window().actions().undo->text(), "Undo Replace by pattern");
    }

private:
    template <class T>
    static T& find(QDialog& dialog, const QString& name) {
        for (T* each : dialog.findChildren<T*>())
            if (each->accessibleName() == name)
                return *each;
        qFatal("no widget is called %s", qPrintable(name));
    }

    void open(const QString& expression, const QString& concrete) {
        withDialog([&](QDialog& dialog) {
            auto& model = find<QComboBox>(dialog, "Model");
            QTRY_COMPARE(model.count(), 2); // Net() and double
            model.setEditText(expression);
            find<QPlainTextEdit>(dialog, "Fixed arguments").setPlainText(concrete);
            dialog.accept();
        });
        m_probe->open(m_folder->filePath("net.py"));
    }

    /// As if typed: the text of the editor changes, and the user rests.
    void edit(const QString& before, const QString& what, const QString& with) {
        CodeView& view = m_probe->code();
        view.setFocus();
        view.replaceTyped(QString(before).replace(what, with));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

QTEST_MAIN(TestTracing)
#include "tst_tracing.moc"
