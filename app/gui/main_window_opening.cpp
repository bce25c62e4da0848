// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are opened: one after the other, each into a tab of its own but for what takes the place of the
// model that is there.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/open/open.h"
#include "core/python/notebook.h"
#include "core/session/opening.h"
#include "widgets/session/format_filter.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QFileDialog>
#include <QTimer>

namespace fx {

std::optional<TraceOptions> MainWindow::howMade(const QString& path) {
    try {
        if (const QString made = Settings::howMade(path); !made.isEmpty())
            return OpeningRequest::fromText(utf8(made)).options.trace;
    } catch (const Error&) {
        // Another version of the program has written it: one chooses again.
    }
    return std::nullopt;
}

QString MainWindow::modelOf(const QString& path) {
    const std::optional<TraceOptions> before = howMade(path);
    return before && !before->expression.empty() ? path + ':' + wholeQt(before->expression) : path;
}

void MainWindow::rememberHowMade(const QString& path) {
    if (path.isEmpty())
        return;
    OpeningRequest request;
    request.path = utf8(path);
    if (m_trace)
        request.options.trace = *m_trace;
    Settings::setHowMade(path, m_trace ? wholeQt(request.text()) : QString());
}

void MainWindow::choose() {
    const QString models = formatFilter("Models", [](const Format&) { return true; });
    openFiles(QFileDialog::getOpenFileNames(this, "Open models", {}, models + ";;All files (*)"));
}

void MainWindow::chooseFolder() {
    const QString path = QFileDialog::getExistingDirectory(this, "Open a folder");
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openFiles(const QStringList& paths, bool isAsBefore) {
    if (!paths.isEmpty() && !m_workspace && frontId() == m_openingFor)
        m_service.cancelOpening(); // one has chosen something else for the empty tab
    for (const QString& path : paths)
        m_waiting.push_back([this, path, isAsBefore] { openIn(emptyTab(), path, isAsBefore); });
    openNext();
}

void MainWindow::openNext() {
    if (m_waiting.empty() || m_arrived || m_isTracing || m_service.isOpening())
        return;
    const std::function<void()> next = std::move(m_waiting.front());
    m_waiting.pop_front();
    next();
}

void MainWindow::openNextSoon() {
    QMetaObject::invokeMethod(this, &MainWindow::openNext, Qt::QueuedConnection);
}

void MainWindow::openIn(int tab, const QString& path, bool isAsBefore) {
    m_opening = path;
    m_openingFor = tab;
    m_arrived.reset();
    const std::optional<TraceOptions> before = isAsBefore ? howMade(path) : std::nullopt;
    // Source says what it can make, and one has to choose; of a printed graph nothing is made.
    if (!before && isSourcePath(utf8(path)) && isSourceToChooseFrom(utf8(path)))
        return traceFile(path);
    const auto read = [this, path, before] {
        m_recovering.reset();
        m_trace = before;
        m_service.open(path, before.value_or(TraceOptions()));
    };
    if (tab == frontId())
        leave(read);
    else
        read();
}

void MainWindow::reload() {
    const QString path = qt(m_workspace->document().opened().path);
    openIn(frontId(), path, path == m_traced);
}

void MainWindow::recover(std::shared_ptr<FoundJournal> found) {
    m_waiting.push_back([this, found] {
        m_openingFor = emptyTab();
        m_recovering = found;
        m_trace = found->request().options.trace;
        m_opening = qt(found->request().path);
        m_service.open(m_opening, *m_trace);
    });
    openNext();
}

/// One may be elsewhere by now, or have closed it.
void MainWindow::showOpeningTab() {
    if (const std::optional<int> tab = tabWithId(m_openingFor))
        m_tabBar->setCurrentIndex(*tab);
    else if (m_workspace)
        addTab();
    m_openingFor = frontId();
}

void MainWindow::showInTab(std::function<void()> show) {
    showOpeningTab();
    // Edits may have been made while it was read.
    if (m_discarded.isCurrent())
        return show();
    leave([this, show = std::move(show)] {
        showOpeningTab();
        show();
    });
}

void MainWindow::showArrived() {
    m_afterDialogs.add([this] {
        const auto model = std::exchange(m_arrived, nullptr);
        if (!model)
            return;
        showInTab([this, model] { show(model); });
        openNextSoon();
    });
}

} // namespace fx
