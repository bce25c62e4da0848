// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tabs.h"

#include "widgets/style/small_button.h"
#include "widgets/support/qt_text.h"

#include <QToolButton>

#include <algorithm>
#include <utility>

namespace fx::ui {

Tabs::Tabs(const Theme& theme) : m_theme(theme), m_bar(new QTabBar) {
    m_bar->setAccessibleName("Models");
    m_bar->setDocumentMode(true);
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setElideMode(Qt::ElideMiddle);
    add();
    connect(m_bar, &QTabBar::currentChanged, this, &Tabs::bringToFront);
}

Tabs::~Tabs() = default;

void Tabs::add() {
    m_tabs.push_back({++m_lastId});
    const int index = m_bar->addTab("New tab");
    QToolButton* close = smallButton("close", "Close this model", m_theme);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < count(); ++i)
            if (m_bar->tabButton(i, QTabBar::RightSide) == close) {
                Q_EMIT closeWanted(i);
                return;
            }
    });
    m_bar->setTabButton(index, QTabBar::RightSide, close);
    m_bar->setCurrentIndex(index);
}

void Tabs::step(int by) {
    show((m_front + by + count()) % count());
}

void Tabs::bringToFront(int index) {
    if (index < 0 || index == m_front)
        return;
    const bool hadModel = view();
    m_front = index;
    Q_EMIT changed(hadModel);
}

bool Tabs::put(std::unique_ptr<Workspace> workspace, Docks& docks, const Actions& actions) {
    const bool hadModel = view();
    emptyFront();
    front().workspace = std::move(workspace);
    front().view = new WorkspaceView(*front().workspace, docks, actions, m_theme);
    Q_EMIT opened();
    return hadModel;
}

void Tabs::empty(OpenTab& tab) {
    // In order: what shows a model goes before it, and a history that ends must not be followed any more.
    delete std::exchange(tab.view, nullptr);
    tab.journal.reset();
    tab.workspace.reset();
    tab.traced.clear();
}

void Tabs::emptyFront() {
    Q_EMIT leaving();
    empty(front());
}

void Tabs::emptyAll() {
    Q_EMIT leaving();
    for (OpenTab& tab : m_tabs)
        empty(tab);
}

void Tabs::removeFront() {
    const int removed = m_front;
    m_tabs.erase(m_tabs.begin() + removed);
    m_front = std::min(removed, count() - 1);
    const QSignalBlocker quiet(m_bar);
    m_bar->removeTab(removed);
    m_bar->setCurrentIndex(m_front);
}

std::optional<int> Tabs::tabOf(const GraphDocument& document) const {
    const auto found = std::ranges::find_if(
        m_tabs, [&](const OpenTab& tab) { return tab.workspace && &tab.workspace->document() == &document; });
    return found == m_tabs.end() ? std::nullopt : std::optional(static_cast<int>(found - m_tabs.begin()));
}

std::optional<int> Tabs::withId(int id) const {
    const auto found = std::ranges::find(m_tabs, id, &OpenTab::id);
    return found == m_tabs.end() ? std::nullopt : std::optional(static_cast<int>(found - m_tabs.begin()));
}

namespace {

/// The last folders of a path, as many as tell it from the others: "run_2" of "exp/run_2/model.pt2".
QString foldersAmong(const QStringList& others, const QString& path) {
    const auto tail = [](const QString& of, qsizetype folders) { return of.section('/', -1 - folders, -2); };
    const qsizetype most = path.count('/');
    for (qsizetype folders = 1; folders <= most; ++folders) {
        const auto isSame = [&](const QString& other) { return tail(other, folders) == tail(path, folders); };
        if (std::ranges::none_of(others, isSame))
            return tail(path, folders);
    }
    return {};
}

} // namespace

void Tabs::refresh() {
    for (int i = 0; i < count(); ++i) {
        Workspace* workspace = at(i).workspace.get();
        const bool isModified = workspace && !workspace->document().isSaved();
        QString text = workspace ? workspace->document().title() : QString("New tab");
        QStringList others; // of the same name
        for (int other = 0; workspace && other < count(); ++other)
            if (Workspace* it = at(other).workspace.get(); other != i && it && it->document().title() == text)
                others << qt(it->document().opened().path);
        if (!others.isEmpty())
            if (const QString folders = foldersAmong(others, qt(workspace->document().opened().path));
                !folders.isEmpty())
                text += " (" + folders + ')';
        m_bar->setTabText(i, text + (isModified ? " *" : ""));
        m_bar->setTabToolTip(i, workspace ? plainTip(workspace->document().place()) : QString());
    }
    m_bar->setVisible(count() > 1); // one alone needs none
}

} // namespace fx::ui
