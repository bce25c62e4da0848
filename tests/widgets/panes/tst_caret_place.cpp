// SPDX-License-Identifier: GPL-3.0-or-later
// Where the caret of the Python pane stands once a line was written anew: "|" marks it.
#include "tests/support/test_program.h"
#include "widgets/panes/caret_place.h"

namespace fx::ui::caret_place_test {

class CaretPlaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void staysAtItsToken_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("now");
        const auto row = [](const char* name, const char* before, const char* now) {
            QTest::newRow(name) << before << now;
        };
        row("nothing changes", "a = b|\n", "a = b|\n");
        row("behind what became an argument", "y = relu + 2.0|\nz\n",
            "y = torch.ops.aten.add.Tensor(relu, 2.0|);  relu = None\nz\n");
        row("within a word", "y = torch.re|lu(x)\n", "y = torch.ops.aten.re|lu.default(x);  x = None\n");
        row("the line is shifted", "x\ny = rel|u(x)\n", "w = a\nx\ny = rel|u(x);  x = None\n");
        row("behind the call", "y = relu(x)|\n", "y = relu(x)|;  x = None\n");
        row("an equal token before it", "y = add(x, x|)\n", "y = aten.add.Tensor(x, x|)\n");
        row("its token moved to a line of its own", "gt = Scalar(s + 2.0|, 0);  s = None\n",
            "add = Tensor(s, 2.0|);  s = None\ngt = Scalar(add, 0);  add = None\n");
        row("its token is gone", "y = a + bb|\nq\n", "y = a|\nq\n");
        row("above the change", "de|f f(x):\n  y\n", "de|f f(x):\n  z\n");
        row("below the change", "a = 1\nb = 2\nc| = 3\n", "a = 1;  x = None\nb = 22\nc| = 3\n");
        row("in front of all", "|y = a\n", "|z = a\n");
        row("letters of two bytes", "größe = relu(größe)|\n", "größe = torch.relu(größe)|;  x = None\n");
        row("behind a space", "y = a, |\n", "y = a, |b\n");
    }

    void staysAtItsToken() {
        QFETCH(QString, before);
        QFETCH(QString, now);
        const auto caret = before.indexOf('|'), wanted = now.indexOf('|');
        before.remove('|');
        now.remove('|');
        const auto found = caretIn(now, before, caret);
        QString shown = now;
        QVERIFY2(found == wanted, qPrintable(shown.insert(found, '|')));
    }

    /// Any place of any text gives a place of the other.
    void staysWithinTheText() {
        const QString texts[] = {
            "", "\n", "a", "x = y\n", "x = torch.relu(y)\n\nz = x\n", "    \n  a.b(1.5)\n"};
        for (const QString& before : texts)
            for (const QString& now : texts)
                for (qsizetype caret = 0; caret <= before.size(); ++caret) {
                    const qsizetype found = caretIn(now, before, caret);
                    QVERIFY2(found >= 0 && found <= now.size(), qPrintable(before + " / " + now));
                    QVERIFY(now != before || found == caret);
                }
    }
};

FX_TEST(CaretPlaceTest)
} // namespace fx::ui::caret_place_test
#include "tst_caret_place.moc"
