// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/window_probe.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

namespace fx::ui {

WindowProbe::WindowProbe(QSize size) : m_theme(*qApp) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    make(size);
}

WindowProbe::~WindowProbe() = default;

void WindowProbe::make(QSize size) {
    m_window = std::make_unique<MainWindow>(m_theme, FXSCOPE_BUILD "/samples");
    if (size.isValid())
        m_window->resize(size);
    m_window->QWidget::show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowProbe::restart(QSize size) {
    m_window->close();
    m_window.reset();
    make(size);
}

void WindowProbe::open(const QString& path) {
    Workspace* before = m_window->workspace();
    m_window->openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace() && m_window->workspace() != before, 30000);
    QVERIFY(waitForLayout());
}

void WindowProbe::openNet(const char* source, const QString& x) {
    const QString path = m_settings.path("net.py");
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(source);
    file.close();
    open(path + ":Net()");
    DebugMemory memory;
    memory.inputs["x"] = x;
    debug().inputs().set(memory);
}

QStringList WindowProbe::problems() {
    const QAbstractItemModel& rows = *find<QTreeView>("Problems").model();
    QStringList out;
    for (int row = 0; row < rows.rowCount(); ++row)
        out << rows.index(row, 1).data().toString() + ": " + rows.index(row, 2).data().toString();
    return out;
}

bool WindowProbe::waitForLayout() {
    return QTest::qWaitFor([this] { return !workspace().layout().isWorking(); }, 30000);
}

bool WindowProbe::waitForState(DebugService::State state) {
    return QTest::qWaitFor([this, state] { return debug().state() == state; }, 30000);
}

QString WindowProbe::selected() {
    const NodeRef at = selection().current();
    return at.node ? qt(workspace().document().model().graph(at.module).node(at.node).name) : QString();
}

void WindowProbe::select(const QString& name) {
    selection().reveal(node(name).node);
    selection().select(node(name));
    waitForLayout();
    canvas().setFocus();
}

void WindowProbe::press(int key, Qt::KeyboardModifiers modifiers) {
    // After a dialog it is the desktop that gives the focus back, and here is none.
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QWidget* focus = m_window->focusWidget();
    QTest::keyClick(focus ? focus : m_window.get(), static_cast<Qt::Key>(key), modifiers);
}

void WindowProbe::type(const QString& text) {
    QTest::keyClicks(QApplication::focusWidget(), text);
}

void WindowProbe::say(const QString& line) {
    auto& edit = find<QLineEdit>("consoleLine");
    edit.setFocus();
    QTest::keyClicks(&edit, line);
    QTest::keyClick(&edit, Qt::Key_Return);
}

QString WindowProbe::statusText() {
    return find<QLabel>("runState").text();
}

int workerOf(qint64 parent) {
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
        QFile words("/proc/" + entry + "/cmdline"), stat("/proc/" + entry + "/stat");
        if (!words.open(QFile::ReadOnly) || !stat.open(QFile::ReadOnly))
            continue;
        const QList<QByteArray> arguments = words.readAll().split('\0');
        const QByteArray line = stat.readAll();
        const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
        if (arguments.size() > 1 && arguments[0].endsWith("fxscope-worker") && arguments[1] == "run" &&
            fields[0] != "Z" && fields[1].toLongLong() == parent)
            return entry.toInt();
    }
    return 0;
}

void withDialog(std::function<void(QDialog&)> work) {
    auto* timer = new QTimer(qApp);
    timer->setInterval(10);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, work = std::move(work)] {
        QWidget* modal = QApplication::activeModalWidget();
        auto* dialog = qobject_cast<QDialog*>(modal ? modal : QApplication::activeWindow());
        if (!dialog)
            return;
        // Until it is the active window, what is typed goes to the window behind it.
        if (!dialog->isActiveWindow())
            return dialog->activateWindow();
        timer->stop();
        // Whoever waits within deletes what is to be deleted: the timer, and what it holds.
        timer->deleteLater();
        const std::function<void(QDialog&)> kept = work;
        kept(*dialog);
    });
    timer->start();
}

void answerFileDialog(const QString& path) {
    withDialog([path](QDialog& dialog) {
        auto* line = dialog.findChild<QLineEdit*>("fileNameEdit");
        line->setText(path);
        QTest::keyClick(line, Qt::Key_Return);
        // A file that exists: yes, replace it.
        if (dialog.isVisible())
            withDialog([](QDialog& question) { question.accept(); });
    });
}

} // namespace fx::ui
