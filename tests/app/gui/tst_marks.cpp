// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks, notes and colours on nodes: by keys, on the canvas, in their pane, in the file.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/finder.h"

#include <QFile>
#include <QImage>
#include <QTreeView>

namespace fx::ui::marks_test {

class TestMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void marksAreSetAndTakenAwayByKeys() {
        m_probe->select("gt");
        m_probe->press(Qt::Key_B);
        QVERIFY(markOn("gt").isBookmark);
        QCOMPARE(m_probe->window().actions()["undo"]->text(), "Undo Bookmark");
        m_probe->press(Qt::Key_C);
        QCOMPARE(markOn("gt").colour, "violet");
        QVERIFY(hasColour("gt", lightTokens().mark("violet")) ||
                hasColour("gt", darkTokens().mark("violet")));
        write("check this\nbefore the release");
        QCOMPARE(markOn("gt").note, "check this\nbefore the release");
        QCOMPARE(rows().model()->rowCount(), 1);
        QCOMPARE(cell(0, 0), "gt");
        QCOMPARE(cell(0, 1), "bookmark, violet");
        QCOMPARE(cell(0, 2), "check this");
        m_probe->press(Qt::Key_B);
        for (int i = 0; i < 4; ++i)
            m_probe->press(Qt::Key_C);
        write("");
        QCOMPARE(markOn("gt"), NodeMark());
        QCOMPARE(rows().model()->rowCount(), 0);
        m_probe->window().actions()["undo"]->trigger();
        QVERIFY(!markOn("gt").note.empty());
    }

    void oneGoesFromMarkToMark() {
        for (const char* name : {"linear", "gt", "getitem"}) {
            m_probe->select(name);
            m_probe->press(Qt::Key_B);
        }
        const auto go = [&](int key, const char* to) {
            m_probe->press(key, Qt::AltModifier);
            QCOMPARE(m_probe->selected(), to);
        };
        m_probe->select("sum_1");
        go(Qt::Key_Down, "gt");
        go(Qt::Key_Down, "getitem");
        go(Qt::Key_Down, "linear");
        go(Qt::Key_Up, "getitem");
        m_probe->select("sum_1");
        go(Qt::Key_Up, "linear");
        // And by its row.
        m_probe->window().docks().show(PaneId::Marks);
        QTRY_VERIFY(rows().height() > 100);
        QTest::mouseClick(rows().viewport(), Qt::LeftButton, {},
                          rows().visualRect(rows().model()->index(1, 0)).center());
        QCOMPARE(m_probe->selected(), "gt");
    }

    void severalNodesAreMarkedAtOnce() {
        m_probe->select("gt");
        m_probe->selection().selectAlso(m_probe->node("linear").node);
        m_probe->press(Qt::Key_C);
        QCOMPARE(markOn("gt").colour, "violet");
        QCOMPARE(markOn("linear").colour, "violet");
    }

    void theFinderFindsNotes() {
        m_probe->select("gt");
        write("suspicious threshold");
        m_probe->press(Qt::Key_K, Qt::ControlModifier);
        m_probe->type("suspicious");
        QCOMPARE(m_probe->window().findChild<Finder*>()->shownNames(), QStringList("gt"));
    }

    void anFxgKeepsThem() {
        m_probe->select("gt");
        m_probe->press(Qt::Key_B);
        m_probe->press(Qt::Key_C);
        write("kept");
        const NodeMark before = markOn("gt");
        const QString path = m_probe->settings().path("marked.fxg");
        answerFileDialog(path);
        m_probe->window().actions()["saveAs"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->workspace().document().isSaved() && QFile::exists(path), 60000);
        m_probe->open(path);
        QCOMPARE(markOn("gt"), before);
        QCOMPARE(rows().model()->rowCount(), 1);
    }

private:
    NodeMark markOn(const QString& name) {
        return markOf(m_probe->workspace().document().model().graph().node(m_probe->node(name).node));
    }
    void write(const QString& text) {
        withDialog([text](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            dialog.findChild<QPlainTextEdit*>()->setPlainText(text);
            dialog.accept();
        });
        m_probe->press(Qt::Key_N);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }
    QTreeView& rows() { return m_probe->find<QTreeView>("Marks"); }
    QString cell(int row, int column) { return rows().model()->index(row, column).data().toString(); }
    /// Whether the picture of the box has it.
    bool hasColour(const QString& name, const QColor& color) {
        CanvasView& canvas = m_probe->canvas();
        const CanvasGeometry& geometry = canvas.geometry();
        const QRectF rect = canvas.camera().toScreen(
            geometry.rect(geometry.picture()->diagram.boxOf(m_probe->node(name).node)));
        const QImage image = canvas.grab(rect.toRect()).toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == color)
                    return true;
        return false;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestMarks)
} // namespace fx::ui::marks_test
#include "tst_marks.moc"
