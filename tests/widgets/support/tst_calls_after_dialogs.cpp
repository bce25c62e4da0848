// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "widgets/support/calls_after_dialogs.h"

#include <QDialog>
#include <QMenu>
#include <QTimer>
#include <QtTest>

namespace fx::ui::calls_after_dialogs_test {

class TestCallsAfterDialogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsAtOnceWhenNothingIsOpen() {
        CallsAfterDialogs calls;
        bool isCalled = false;
        calls.add([&] { isCalled = true; });
        QVERIFY(isCalled);
    }

    void waitsUntilTheLoopOfADialogHasEnded() {
        CallsAfterDialogs calls;
        QStringList story;
        QDialog dialog;
        QTimer::singleShot(0, &dialog, [&] {
            for (const char* each : {"first", "second"})
                calls.add([&story, each] { story << each; });
            QTimer::singleShot(0, &dialog, [&] {
                story << "closes";
                dialog.accept();
            });
        });
        dialog.exec();
        story << "closed";
        QTRY_COMPARE(story, (QStringList{"closes", "closed", "first", "second"}));
    }

    void keepTheirOrderWhileOneOpensADialog() {
        CallsAfterDialogs calls;
        QStringList story;
        QDialog dialog, other;
        other.setModal(true);
        QTimer::singleShot(0, &dialog, [&] {
            calls.add([&] { other.open(); });
            calls.add([&] { story << "second"; });
            dialog.accept();
        });
        dialog.exec();
        QTRY_VERIFY(other.isVisible());
        calls.add([&] {
            story << "third";
            calls.add([&] { story << "fourth"; });
        });
        for (int turn = 0; turn < 5; ++turn)
            QCoreApplication::processEvents();
        QCOMPARE(story, QStringList());
        other.accept();
        QTRY_COMPARE(story, (QStringList{"second", "third", "fourth"}));
    }

    void waitsForAMenu() {
        CallsAfterDialogs calls;
        QStringList story;
        QMenu menu;
        menu.addAction("One");
        QTimer::singleShot(0, &menu, [&] {
            calls.add([&] { story << "called"; });
            QTimer::singleShot(0, &menu, [&] {
                story << "closes";
                menu.close();
            });
        });
        menu.exec(QPoint(0, 0));
        QTRY_COMPARE(story, (QStringList{"closes", "called"}));
    }
};

FX_TEST(TestCallsAfterDialogs)
} // namespace fx::ui::calls_after_dialogs_test
#include "tst_calls_after_dialogs.moc"
