// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in the window's words.
#include "tests/support/test_program.h"
#include "widgets/support/qt_text.h"

namespace fx::ui::qt_text_test {

class QtTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void faultsNameFieldsOfTheWindow_data() {
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* told, const char* wanted) { QTest::newRow(told) << told << wanted; };
        row("--leaf Block records the module whole", "“Leaf classes” Block records the module whole");
        row("--concrete-args: means nothing", "“Fixed arguments”: means nothing");
        row("--group-size: a group has two numbers", "“Group size”: a group has two numbers");
        row("is for --mode static", "is for “Mode” static");
        row("(--path DIR or --source FILE.py says what they are)",
            "(“Package folders” or “Classes from” says what they are)");
        row("put operators in its place: fxscope apply MODEL capture -o OUT.pt2",
            "put operators in its place: Passes > Other operators > Capture operators");
        row("give the source: fxscope graph net.pt --source FILE.py",
            "give the source: File > Trace with options");
        row("--tracer meta --meta-args NAME=EXAMPLE follows", "“Examples” NAME=EXAMPLE follows");
        // Python, and what only looks like an option.
        row("x = --y", "x = --y");
        row("a--b and --", "a--b and --");
        row("no option here", "no option here");
    }

    void faultsNameFieldsOfTheWindow() {
        QFETCH(QString, told);
        QFETCH(QString, wanted);
        QCOMPARE(faultText(told.toStdString()), wanted);
    }
};

FX_TEST(QtTextTest)
} // namespace fx::ui::qt_text_test
#include "tst_qt_text.moc"
