// SPDX-License-Identifier: GPL-3.0-or-later
// Parts by hand: nodes are moved to parts by a key or the menu, seen by colour, refused where parts would
// wait for each other, and split.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>

namespace fx::ui::hand_parts_test {

class TestHandParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet("import torch\n"
                         "def net(x):\n"
                         "    a = torch.sin(x)\n"
                         "    b = torch.cos(a)\n"
                         "    c = torch.relu(b)\n"
                         "    return torch.exp(c)\n"
                         "class Net(torch.nn.Module):\n"
                         "    def forward(self, x):\n"
                         "        return net(x)\n",
                         "randn(2, 3)");
        QVERIFY(m_probe->waitForLayout());
    }
    void cleanup() { m_probe.reset(); }

    void partsHaveColoursAndNames() {
        moveToPart({"sin", "cos"}, "front");
        QCOMPARE(names(), QStringList{"front"});
        moveToPart({"relu"}, "back");
        QCOMPARE(names(), (QStringList{"front", "back"}));
        QVERIFY(m_probe->window().actions()["colourPart"]->isChecked());
        QCOMPARE(groupOf("sin"), "front");
        QCOMPARE(groupOf("cos"), "front");
        QCOMPARE(groupOf("relu"), "back");
        QCOMPARE(groupOf("exp"), "");
        // One step of undo.
        undo();
        QTRY_COMPARE(names(), QStringList{"front"});
        QCOMPARE(groupOf("relu"), "");
    }

    void aCircleOfPartsIsRefusedWhileOneTypes() {
        moveToPart({"sin"}, "front");
        select({"relu"});
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), "relu");
            auto& part = findIn<QLineEdit>(dialog, "Part");
            part.setFocus();
            QTest::keyClicks(&part, "front");
            QTRY_VERIFY2(said(dialog).contains("front reads 'cos' of cos, which reads 'sin' of front"),
                         qPrintable(said(dialog)));
            QCOMPARE(dialog.findChild<QLabel*>("fault")->text(), said(dialog));
            part.selectAll();
            QTest::keyClicks(&part, "back");
            QTRY_VERIFY2(said(dialog).startsWith("front: 1 node"), qPrintable(said(dialog)));
            dialog.reject();
        });
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(groupOf("relu"), "");
    }

    void partsBecomeSubmodules() {
        moveToPart({"sin", "cos"}, "front");
        const QString before = m_probe->code().text();
        withDialog([](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            findIn<QComboBox>(dialog, "By").setCurrentText("tag");
            auto& leave = findIn<QCheckBox>(dialog, "Leave untagged");
            leave.setFocus();
            QTest::keyClick(&leave, Qt::Key_Space);
            QVERIFY(leave.isChecked());
            QTest::keyClick(&findIn<QLineEdit>(dialog, "Key"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("split")->trigger();
        QTRY_VERIFY2(m_probe->code().text().contains("self.front(x)"), qPrintable(m_probe->code().text()));
        undo();
        QTRY_COMPARE(m_probe->code().text(), before);
    }

    void itIsInTheContextMenu() {
        QMenu menu;
        m_probe->window().actions().fillContextMenu(menu);
        QVERIFY(menu.actions().contains(m_probe->window().actions().pass("move-to-part")));
    }

private:
    void select(const QStringList& nodes) {
        std::vector<NodeId> ids;
        for (const QString& name : nodes)
            ids.push_back(m_probe->node(name).node);
        m_probe->selection().selectNodes(ids);
        m_probe->canvas().setFocus();
    }
    void moveToPart(const QStringList& nodes, const QString& part) {
        select(nodes);
        withDialog([&](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), nodes.join(", "));
            auto& field = findIn<QLineEdit>(dialog, "Part");
            field.setFocus();
            QTest::keyClicks(&field, part);
            QTest::keyClick(&field, Qt::Key_Return);
        });
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(names().contains(part), 60000);
    }
    void undo() {
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_Z, Qt::ControlModifier);
    }
    static QString said(QDialog& dialog) { return findIn<QLabel>(dialog, "What it does").text(); }

    const Picture& diagram() { return *m_probe->canvas().geometry().picture(); }
    QStringList names() {
        QStringList out;
        for (const BoxGroup& group : m_probe->canvas().states().groups(diagram()))
            out << group.name;
        return out;
    }
    QString groupOf(const QString& name) {
        const int box = diagram().diagram.boxOf(m_probe->node(name).node);
        const int group = m_probe->canvas().states().of(diagram(), box).group;
        return group < 0 ? QString() : names()[group];
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestHandParts)
} // namespace fx::ui::hand_parts_test
#include "tst_hand_parts.moc"
