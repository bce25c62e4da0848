// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes copied, cut and pasted: in a graph, into another model, by way of another process.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/node_clipboard.h"
#include "widgets/panes/finder.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>

namespace fx::ui::clipboard_test {

class TestClipboard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
        QApplication::clipboard()->clear();
    }
    void cleanup() { m_probe.reset(); }

    void inTheSameGraph() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        select({"relu", "max_pool2d"});
        press(Qt::Key_C);
        QCOMPARE(probe.toast(), "Copied 2 nodes.");
        QCOMPARE(probe.code().text(), before);
        press(Qt::Key_V);
        QCOMPARE(probe.selection().nodes().size(), size_t(2));
        const Graph& graph = this->graph();
        const Node& relu = graph.node(probe.selection().nodes()[0]);
        const Node& pool = graph.node(probe.selection().nodes()[1]);
        QCOMPARE(relu.target, graph.node(probe.node("relu").node).target);
        QVERIFY(relu.name != "relu");
        QCOMPARE(relu.args[0].node(), graph.node(probe.node("relu").node).args[0].node());
        QCOMPARE(pool.args[0].node(), relu.id);
        press(Qt::Key_Z);
        QCOMPARE(probe.code().text(), before);
    }

    void asTextItIsCode() {
        select({"relu"});
        press(Qt::Key_C);
        const QString text = QApplication::clipboard()->text();
        m_probe->press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(text, QApplication::clipboard()->text());
        QVERIFY2(text.contains("aten.relu"), qPrintable(text));
    }

    void cutTakesThemAway() {
        WindowProbe& probe = *m_probe;
        const QString before = probe.code().text();
        select({"relu"});
        withDialog([](QDialog& dialog) {
            for (QPushButton* button : dialog.findChildren<QPushButton*>())
                if (button->text().contains("Bypass"))
                    return button->click();
            dialog.reject();
        });
        press(Qt::Key_X);
        QVERIFY(!probe.node("relu").node);
        probe.select("batch_norm");
        press(Qt::Key_V);
        QCOMPARE(graph().node(probe.selection().currentNode()).args[0].node(), probe.node("batch_norm").node);
        press(Qt::Key_Z);
        press(Qt::Key_Z);
        QCOMPARE(probe.code().text(), before);
    }

    void intoAnotherModel_data() {
        QTest::addColumn<bool>("byBytes");
        QTest::newRow("of this process") << false;
        QTest::newRow("of another process") << true;
    }

    void intoAnotherModel() {
        QFETCH(bool, byBytes);
        WindowProbe& probe = *m_probe;
        select({"conv2d"}); // its weight comes along
        press(Qt::Key_C);
        if (byBytes) {
            auto* bytes = new QMimeData;
            bytes->setData(NodeClipboard::kType,
                           QApplication::clipboard()->mimeData()->data(NodeClipboard::kType));
            QVERIFY(bytes->data(NodeClipboard::kType).size() > 1000);
            QApplication::clipboard()->setMimeData(bytes);
        }
        const Model& source = probe.workspace().document().model();
        const Node& conv = graph().node(probe.node("conv2d").node);
        const std::string path = graph().node(conv.args[1].node()).target.name();
        const TensorMeta weight = source.tensor(source.resolve(source.root(), path).tensor).meta();
        probe.open(samplePath("control_flow"));
        const QString before = probe.code().text();
        probe.select("linear");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& input = findIn<QComboBox>(dialog, "x");
            auto* paste = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            input.setEditText("nothing_like_it");
            QVERIFY(!paste->isEnabled());
            input.setEditText("linear");
            QVERIFY(paste->isEnabled());
            paste->click();
        });
        press(Qt::Key_V);
        const Model& model = probe.workspace().document().model();
        QCOMPARE(probe.selection().nodes().size(), size_t(2));
        const Node& pasted = graph().node(probe.node("conv2d").node);
        QCOMPARE(pasted.args[0].node(), probe.node("linear").node);
        const Attribute found =
            model.resolve(model.root(), graph().node(pasted.args[1].node()).target.name());
        QVERIFY(found.tensor && found.role == TensorRole::Parameter);
        QCOMPARE(model.tensor(found.tensor).meta().shape, weight.shape);
        press(Qt::Key_Z);
        QCOMPARE(probe.code().text(), before);
    }

    void whereThereIsNothingItIsTold() {
        QApplication::clipboard()->setText(" ");
        press(Qt::Key_V);
        QVERIFY2(m_probe->toast().startsWith("There is nothing to paste"), qPrintable(m_probe->toast()));
        auto* bytes = new QMimeData;
        bytes->setData(NodeClipboard::kType, "no zip");
        QApplication::clipboard()->setMimeData(bytes);
        press(Qt::Key_V);
        QVERIFY2(m_probe->toast().startsWith("What was copied cannot be read"), qPrintable(m_probe->toast()));
    }

    void inFieldsTheKeysAreTheirs() {
        WindowProbe& probe = *m_probe;
        select({"relu"});
        probe.press(Qt::Key_K, Qt::ControlModifier);
        probe.type("words");
        QTest::keySequence(probe.window().focusWidget(), QKeySequence::SelectAll);
        QTest::keySequence(probe.window().focusWidget(), QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->text(), "words");
    }

private:
    const Graph& graph() { return m_probe->workspace().document().model().graph(); }

    void select(const QStringList& names) {
        m_probe->select(names[0]);
        std::vector<NodeId> nodes;
        for (const QString& name : names)
            nodes.push_back(m_probe->node(name).node);
        m_probe->selection().selectNodes(nodes);
    }

    void press(int key) {
        m_probe->canvas().setFocus();
        m_probe->press(key, Qt::ControlModifier);
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestClipboard)
} // namespace fx::ui::clipboard_test
#include "tst_clipboard.moc"
