// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes cost: columns of the table of operators, colours of the canvas, and what would be otherwise.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/device_box.h"

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

namespace fx::ui::costs_test {

namespace {

constexpr int kPatience = 30000;

void choose(QComboBox& box, const QString& text) {
    box.setFocus();
    box.setCurrentText(text);
    Q_EMIT box.activated(box.currentIndex());
}

} // namespace

class TestCosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void nothingIsCountedUnasked() {
        QVERIFY(m_probe->waitForLayout());
        QCoreApplication::processEvents();
        QVERIFY(!m_probe->workspace().costs().isWorking());
        QCOMPARE(m_probe->workspace().costs().figures().size(), size_t{0});
    }

    void theTableHasColumnsOfCosts() {
        m_probe->window().docks().show(Docks::OperatorTable);
        QTRY_COMPARE_WITH_TIMEOUT(cellOf("conv2d_1", "FLOPs").isEmpty(), false, kPatience);
        QVERIFY(cellOf("conv2d_1", "Read").contains("B"));
        QVERIFY(cellOf("conv2d_1", "Predicted").isEmpty());
        choose(m_probe->find<DeviceBox>("Device of the predictions"), "NVIDIA H100 SXM 80 GB");
        QVERIFY(!cellOf("conv2d_1", "Predicted").isEmpty());
        QVERIFY(QStringList({"memory", "overhead", "compute"}).contains(cellOf("conv2d_1", "Bound")));
        // Beside what was measured.
        QVERIFY(cellOf("conv2d_1", "Off").isEmpty());
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QTRY_VERIFY(cellOf("conv2d_1", "Off").contains("%"));
        auto& filter = m_probe->find<QLineEdit>("operatorFilter");
        filter.setFocus();
        QTest::keyClicks(&filter, "flops>0 target:conv2d");
        QVERIFY(table().rowCount() > 3);
        // And in another window.
        m_probe->restart();
        m_probe->open(samplePath("resnet"));
        m_probe->window().docks().show(Docks::OperatorTable);
        QTRY_VERIFY_WITH_TIMEOUT(!cellOf("conv2d_1", "Predicted").isEmpty(), kPatience);
    }

    void anEditIsCountedAnew() {
        m_probe->window().docks().show(Docks::OperatorTable);
        QTRY_COMPARE_WITH_TIMEOUT(cellOf("conv2d_1", "FLOPs").isEmpty(), false, kPatience);
        m_probe->select("conv2d_1");
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 1);
        const Graph& graph = m_probe->workspace().document().model().graph();
        const QString copy = qt(graph.node(graph.node(m_probe->node("conv2d_1").node).next).name);
        QTRY_COMPARE_WITH_TIMEOUT(cellOf(copy, "FLOPs"), cellOf("conv2d_1", "FLOPs"), kPatience);
        QVERIFY(!cellOf(copy, "FLOPs").isEmpty());
    }

    void anEditAfterARunIsCountedAnew() {
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        m_probe->window().docks().show(Docks::OperatorTable);
        const CostService& costs = m_probe->workspace().costs();
        QTRY_VERIFY_WITH_TIMEOUT(costs.isCurrent(), kPatience);
        const size_t nodes = costs.costs()->nodes.size();
        m_probe->select("relu_1");
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(costs.isCurrent(), kPatience);
        QCOMPARE(costs.fault(), QString());
        QCOMPARE(costs.costs()->nodes.size(), nodes - 1);
    }

    void rowsAreWrittenAsJson() {
        m_probe->window().docks().show(Docks::OperatorTable);
        QTRY_COMPARE_WITH_TIMEOUT(cellOf("conv2d_1", "FLOPs").isEmpty(), false, kPatience);
        const QString path = m_probe->settings().path("nodes.json");
        answerFileDialog(path);
        for (QToolButton* button : m_probe->window().findChildren<QToolButton*>())
            if (button->text().startsWith("Export table"))
                button->click();
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("\"node\": \"conv2d_1\"") && text.contains("\"flops\": "),
                 text.left(300).constData());
    }

    void theCanvasIsColouredByPredictions() {
        Actions& actions = m_probe->window().actions();
        m_probe->workspace().costs().chooseDevice("h100");
        m_probe->selection().expandAll();
        QVERIFY(m_probe->waitForLayout());
        actions["colourFlops"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(stateOf("conv2d_1").heat > 0, kPatience);
        QVERIFY(!stateOf("conv2d_1").note.isEmpty());
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 0);
        actions["colourPredicted"]->trigger();
        QVERIFY2(stateOf("relu").note.endsWith("s"), qPrintable(stateOf("relu").note));
        actions["colourBound"]->trigger();
        QVERIFY(stateOf("relu").group >= 0);
        actions["colourKind"]->trigger();
        QCOMPARE(stateOf("relu").heat, 0.0);
    }

    void withoutADeviceThisMachineIsMeasured() {
        m_probe->window().actions()["colourPredicted"]->trigger();
        QCOMPARE(m_probe->workspace().costs().deviceName(), QString(kThisMachine));
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->workspace().costs().device(), kPatience);
    }

    void whatIfFollowsTheSelection() {
        m_probe->press(Qt::Key_W, Qt::ControlModifier | Qt::AltModifier);
        auto& answer = m_probe->find<QLabel>("whatIfAnswer");
        QVERIFY(answer.isVisible());
        QTRY_COMPARE(answer.text(), "Choose a device that times are predicted for.");
        choose(m_probe->find<DeviceBox>("Device"), "NVIDIA T4 16 GB");
        QTRY_VERIFY2_WITH_TIMEOUT(answer.text().contains("the whole"), qPrintable(answer.text()), kPatience);
        const QString all = answer.text();
        choose(m_probe->find<QComboBox>("What dtype"), "bfloat16");
        QVERIFY(answer.text() != all);
        const QString inHalf = answer.text();
        m_probe->select("conv2d_1");
        QVERIFY(answer.text() != inHalf);
        const QString one = answer.text();
        choose(m_probe->find<DeviceBox>("Other device"), "NVIDIA H100 SXM 80 GB");
        QVERIFY(answer.text() != one);
        m_probe->selection().selectScope("layer1");
        const QString scope = answer.text();
        m_probe->find<QCheckBox>("One kernel").setFocus();
        m_probe->press(Qt::Key_Space);
        QVERIFY(answer.text() != scope);
    }

    void aFileThatIsNoDeviceIsTold() {
        const QString path = m_probe->settings().path("mine.json");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("{}");
        file.close();
        m_probe->window().docks().show(Docks::OperatorTable);
        auto& box = m_probe->find<DeviceBox>("Device of the predictions");
        answerFileDialog(path);
        choose(box, "From file…");
        QTRY_VERIFY2(m_probe->toast().contains("mine.json"), qPrintable(m_probe->toast()));
        QCOMPARE(box.currentText(), "No device");
    }

private:
    QAbstractItemModel& table() { return *m_probe->find<QTreeView>("Operator table").model(); }
    QString cellOf(const QString& node, const QString& column) {
        QAbstractItemModel& rows = table();
        int at = 0;
        while (rows.headerData(at, Qt::Horizontal).toString() != column)
            ++at;
        for (int row = 0; row < rows.rowCount(); ++row)
            if (rows.index(row, 0).data().toString() == node) {
                const QString text = rows.index(row, at).data().toString();
                return text == QChar(0x2013) ? QString() : text; // of a column that has nothing yet
            }
        return {};
    }
    const BoxState& stateOf(const QString& node) {
        const Picture& picture = *m_probe->canvas().geometry().picture();
        return m_probe->canvas().states().of(picture, picture.diagram.boxOf(m_probe->node(node).node));
    }
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestCosts)
} // namespace fx::ui::costs_test
#include "tst_costs.moc"
