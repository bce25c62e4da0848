// SPDX-License-Identifier: GPL-3.0-or-later
// Tracing that fails half-way: the graph so far can be looked at, and examples help it on.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/box_states.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeView>

namespace fx::ui::partial_traces_test {

class TestPartialTraces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        write();
        m_probe = std::make_unique<WindowProbe>();
    }
    void cleanup() { m_probe.reset(); }

    void theGraphSoFarIsShown() {
        open([](QDialog& dialog) {
            press(dialog);
            QPushButton& soFar = soFarButton(dialog);
            QTRY_VERIFY_WITH_TIMEOUT(soFar.isVisible(), 30000);
            QTest::mouseClick(&soFar, Qt::LeftButton);
        });
        // The one that failed is current, in its module, in red, and listed.
        QCOMPARE(m_probe->selected(), "trace_ends");
        const Graph& graph = m_probe->workspace().document().model().graph();
        const Node& last = graph.node(m_probe->node("trace_ends").node);
        QCOMPARE(graph.node(last.inputs.at(0).node).name, std::string("gt"));
        QVERIFY(m_probe->waitForLayout());
        const Picture& picture = *m_probe->canvas().geometry().picture();
        const int box = picture.diagram.boxOf(last.id);
        QVERIFY(picture.diagram.boxes[static_cast<size_t>(box)].kind == DiagramBox::Kind::Node);
        QVERIFY(m_probe->canvas().states().of(picture, box).fault.contains("inputs to control flow"));
        const auto& rows = *m_probe->find<QTreeView>("Problems").model();
        QCOMPARE(rows.index(0, 1).data().toString(), "trace_ends");
        QVERIFY(rows.index(0, 2).data().toString().startsWith("the trace ends here: "));
        QVERIFY(m_probe->toast().contains("net.py:9:12"));
        QVERIFY(m_probe->code().text().contains("gt = getitem > 1"));
        QCOMPARE(m_probe->code(Docks::Source).text().count("shape[0] > 1"), 1);
    }

    void itRunsToWhereItEnds() {
        theGraphSoFarIsShown();
        DebugMemory memory;
        memory.inputs["x"] = "torch.ones(2, 4)";
        m_probe->debug().inputs().set(memory);
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QVERIFY(m_probe->debug().run().values().record(m_probe->node("gt")));
    }

    void examplesFollowWhatSizesDecide() {
        open([](QDialog& dialog) {
            findIn<QPlainTextEdit>(dialog, "Examples").setPlainText("x=randn(2, 4)");
            press(dialog);
        });
        QVERIFY2(m_probe->code().text().contains("lin * 2"), qPrintable(m_probe->code().text()));
        const Graph& graph = m_probe->workspace().document().model().graph();
        for (const Node& node : graph)
            QVERIFY2(node.meta.find(meta::kTensorMeta), node.name.c_str());
    }

private:
    void write() {
        QFile source(m_folder->filePath("net.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("from torch import nn\n\nclass Inner(nn.Module):\n    def __init__(self):\n"
                     "        super().__init__()\n        self.lin = nn.Linear(4, 4)\n"
                     "    def forward(self, x):\n        y = self.lin(x)\n        if x.shape[0] > 1:\n       "
                     "     y = y * 2\n        return y\n\nclass Net(nn.Module):\n"
                     "    def __init__(self):\n        super().__init__()\n        self.inner = Inner()\n"
                     "    def forward(self, x):\n        return self.inner(x)\n");
    }

    void open(const std::function<void(QDialog&)>& choose) {
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.count(), 2, 30000);
            model.setEditText("Net()");
            choose(dialog);
        });
        m_probe->open(m_folder->filePath("net.py"));
    }

    static void press(QDialog& dialog) {
        auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 30000);
        QTest::mouseClick(trace, Qt::LeftButton);
    }

    static QPushButton& soFarButton(QDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text() == "Show the graph so far")
                return *button;
        qFatal("no button shows the graph so far");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestPartialTraces)
} // namespace fx::ui::partial_traces_test
#include "tst_partial_traces.moc"
