// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for a session makes a look at a value useless, or does not.
#include "core/run/command_queue.h"
#include "tests/support/test_program.h"

namespace fx::command_queue_test {

class TestCommandQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLookIsOvertakenByWhatGoesOn() {
        CommandQueue queue;
        queue.send(Inspect{1, {}});
        QVERIFY(queue.isOvertaken(false)); // by that one, were another at work
        QVERIFY(queue.next(false));
        QVERIFY(!queue.isOvertaken(false));
        queue.send(Evaluate{2, "x"});
        QVERIFY(!queue.isOvertaken(false));
        queue.send(Resume{Resume::Mode::Step, {}});
        QVERIFY(queue.isOvertaken(false));
        queue.next(false);
        queue.next(false);
        QVERIFY(!queue.isOvertaken(false));
        queue.send(Jump{3, {}});
        QVERIFY(queue.isOvertaken(false));
    }

    void aRunThatIsStoppedIsLookedAtWhenItIsOver() {
        CommandQueue queue;
        queue.stop();
        QVERIFY(queue.isOvertaken(false));
        QVERIFY(!queue.isOvertaken(true));
        queue.end();
        QVERIFY(queue.isOvertaken(true));
    }
};

FX_TEST(TestCommandQueue)
} // namespace fx::command_queue_test
#include "tst_command_queue.moc"
