// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "widgets/support/calls_after_dialogs.h"

#include <QDialog>
#include <QMenu>
#include <QTimer>
#include <QtTest>

namespace fx::calls_after_dialogs_test {

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

    void waitsForADialogThatACallOpens() {
        CallsAfterDialogs calls;
        QStringList story;
        QDialog dialog;
        QTimer::singleShot(0, &dialog, [&] {
            calls.add([&] {
                QDialog other;
                QTimer::singleShot(0, &other, [&] {
                    story << "other closes";
                    other.accept();
                });
                other.exec();
            });
            calls.add([&] { story << "second"; });
            dialog.accept();
        });
        dialog.exec();
        QTRY_COMPARE(story, (QStringList{"other closes", "second"}));
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
} // namespace fx::calls_after_dialogs_test
#include "tst_calls_after_dialogs.moc"
