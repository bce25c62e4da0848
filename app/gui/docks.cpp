// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/docks.h"

#include "core/plugins/plugin_host.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QTabBar>
#include <QTimer>

namespace fx {

namespace {

constexpr int kNarrow = 1200;
constexpr int kStateVersion = 2; ///< grows with the panes: an older state has no place for a new one

struct PaneInfo {
    const char *name, *title;
};
constexpr PaneInfo kPanes[Docks::Count] = {
    {"modules", "Modules"}, {"breakpoints", "Breakpoints"},
    {"watches", "Watches"}, {"code", "Generated Python"},
    {"source", "Source"},   {"tensor", "Tensor"},
    {"node", "Node"},       {"console", "Console"},
    {"steps", "Steps"},     {"problems", "Problems"},
};
constexpr Docks::Pane kRight[] = {Docks::Code, Docks::Source, Docks::Tensor, Docks::NodePane};

} // namespace

// --- DockTitle

DockTitle::DockTitle(QDockWidget& dock, const Theme& theme)
    : m_name(new QLabel(dock.windowTitle().toUpper())), m_detail(new QLabel), m_float(new QToolButton),
      m_close(new QToolButton) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_name->setObjectName("heading");
    m_detail->setObjectName("dim");
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setStyleSheet("font-size: 11px;");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 6, 2);
    row->setSpacing(2);
    row->addWidget(m_name);
    row->addStretch();
    row->addWidget(m_detail);
    for (QToolButton* button : {m_float, m_close}) {
        button->setFixedSize(20, 20);
        button->setIconSize(QSize(12, 12));
        button->setStyleSheet("padding: 2px;");
        button->setFocusPolicy(Qt::NoFocus);
        row->addWidget(button);
    }
    m_float->setToolTip("Take out of the window, or put back");
    m_close->setToolTip("Close; View > Panes brings it back");
    connect(m_float, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    connect(m_close, &QToolButton::clicked, &dock, &QDockWidget::close);
    const auto dress = [this, &theme] {
        const Tokens& t = theme.tokens();
        m_float->setIcon(fx::icon("float", t.dim, t.faint));
        m_close->setIcon(fx::icon("close", t.dim, t.faint));
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
}

void DockTitle::setDetail(const QString& detail) {
    m_detail->setText(detail);
}

void DockTitle::setCompact(bool isCompact) {
    if (m_isCompact == isCompact)
        return;
    m_isCompact = isCompact;
    for (QWidget* each : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_detail),
                          static_cast<QWidget*>(m_float), static_cast<QWidget*>(m_close)})
        each->setVisible(!isCompact);
    layout()->setContentsMargins(isCompact ? QMargins() : QMargins(14, 6, 6, 2));
    updateGeometry();
}

QSize DockTitle::sizeHint() const {
    return m_isCompact ? QSize(0, 0) : QWidget::sizeHint();
}

QSize DockTitle::minimumSizeHint() const {
    return m_isCompact ? QSize(0, 0) : QWidget::minimumSizeHint();
}

// --- Docks

Docks::Docks(QMainWindow& window, const Theme& theme) : QObject(&window), m_window(window) {
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks |
                          QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    std::vector<std::pair<QString, QString>> panes; // names and titles
    for (const PaneInfo& pane : kPanes)
        panes.emplace_back(pane.name, pane.title);
    for (const PluginPane& pane : pluginPanes())
        panes.emplace_back("plugin:" + qt(pane.name), qt(pane.title));
    for (const auto& [name, title] : panes) {
        auto* dock = new QDockWidget(title, &window);
        dock->setObjectName(name);
        auto* bar = new DockTitle(*dock, theme);
        dock->setTitleBarWidget(bar);
        m_docks.push_back(dock);
        m_titles.push_back(bar);
        // Which docks are tabs is settled only after the event.
        const auto later = [this] { QTimer::singleShot(0, this, &Docks::updateTitles); };
        connect(dock, &QDockWidget::dockLocationChanged, this, later);
        connect(dock, &QDockWidget::topLevelChanged, this, later);
        connect(dock, &QDockWidget::visibilityChanged, this, later);
    }
    arrange(false);
}

void Docks::setContent(Pane pane, QWidget* content) {
    QWidget* old = m_docks[pane]->widget();
    if (content)
        content->setAttribute(Qt::WA_StyledBackground);
    m_docks[pane]->setWidget(content);
    delete old;
}

void Docks::setCount(Pane pane, int count) {
    m_docks[pane]->setWindowTitle(count ? QString("%1 %2").arg(kPanes[pane].title).arg(count)
                                        : kPanes[pane].title);
}

void Docks::setDetail(Pane pane, const QString& detail) {
    m_titles[static_cast<size_t>(pane)]->setDetail(detail);
}

void Docks::show(Pane pane) {
    m_docks[pane]->show();
    m_docks[pane]->raise();
    if (m_docks[pane]->widget())
        m_docks[pane]->widget()->setFocus();
}

void Docks::arrange(bool isNarrow) {
    m_isNarrow = isNarrow;
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    m_window.addDockWidget(Qt::LeftDockWidgetArea, m_docks[Modules]);
    m_window.splitDockWidget(m_docks[Modules], m_docks[Breakpoints], Qt::Vertical);
    m_window.splitDockWidget(m_docks[Breakpoints], m_docks[Watches], Qt::Vertical);
    m_window.addDockWidget(Qt::BottomDockWidgetArea, m_docks[Console]);
    m_window.tabifyDockWidget(m_docks[Console], m_docks[Steps]);
    m_window.tabifyDockWidget(m_docks[Steps], m_docks[Problems]);
    for (size_t i = Count; i < m_docks.size(); ++i)
        m_window.tabifyDockWidget(m_docks[Problems], m_docks[i]);
    if (isNarrow) {
        for (const Pane pane : kRight)
            m_window.tabifyDockWidget(m_docks[Problems], m_docks[pane]);
    } else {
        addColumn();
    }
    for (QDockWidget* dock : m_docks)
        dock->show();
    m_docks[Code]->raise();
    m_docks[Tensor]->raise();
    m_docks[Console]->raise();
    applySizes();
    // Docks that were hidden take their sizes only once they are laid out.
    QTimer::singleShot(0, this, &Docks::applySizes);
    updateTitles();
}

void Docks::addColumn() {
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_docks[Code]);
    m_window.splitDockWidget(m_docks[Code], m_docks[Tensor], Qt::Vertical);
    m_window.tabifyDockWidget(m_docks[Code], m_docks[Source]);
    m_window.tabifyDockWidget(m_docks[Tensor], m_docks[NodePane]);
}

void Docks::applySizes() {
    const int width = m_window.width(), height = m_window.height();
    m_window.resizeDocks({m_docks[Modules]}, {std::clamp(width * 18 / 100, 180, 320)}, Qt::Horizontal);
    m_window.resizeDocks({m_docks[Modules], m_docks[Breakpoints], m_docks[Watches]},
                         {height * 52 / 100, height * 18 / 100, height * 18 / 100}, Qt::Vertical);
    m_window.resizeDocks({m_docks[Console]}, {std::clamp(height * 23 / 100, 130, 280)}, Qt::Vertical);
    if (!m_isNarrow) {
        m_window.resizeDocks({m_docks[Code]}, {width * 35 / 100}, Qt::Horizontal);
        m_window.resizeDocks({m_docks[Code], m_docks[Tensor]}, {height * 32 / 100, height * 36 / 100},
                             Qt::Vertical);
    }
}

void Docks::reset() {
    arrange(m_window.width() < kNarrow);
}

void Docks::adapt(int width) {
    const bool isNarrow = width < kNarrow;
    if (isNarrow == m_isNarrow)
        return;
    m_isNarrow = isNarrow;
    // Only what is still where it was put moves; what the user has put elsewhere stays there.
    std::vector<Pane> moved;
    for (const Pane pane : kRight) {
        const bool isInColumn = m_window.dockWidgetArea(m_docks[pane]) == Qt::RightDockWidgetArea;
        const bool isInTabs = m_window.tabifiedDockWidgets(m_docks[Problems]).contains(m_docks[pane]);
        if (!m_docks[pane]->isFloating() && (isNarrow ? isInColumn : isInTabs))
            moved.push_back(pane);
    }
    if (!isNarrow && moved.size() < std::size(kRight))
        return;
    std::vector<Pane> shown;
    for (const Pane pane : moved) {
        if (!m_docks[pane]->isHidden())
            shown.push_back(pane);
        // Else Qt keeps the room that it had.
        m_window.removeDockWidget(m_docks[pane]);
    }
    if (isNarrow)
        for (const Pane pane : moved)
            m_window.tabifyDockWidget(m_docks[Problems], m_docks[pane]);
    else
        addColumn();
    for (const Pane pane : shown)
        m_docks[pane]->show();
    for (const Pane pane : isNarrow ? std::vector{Console} : std::vector{Code, Tensor})
        m_docks[pane]->raise();
    if (!isNarrow)
        applySizes();
    updateTitles();
}

void Docks::setAllVisible(bool isVisible) {
    for (QDockWidget* dock : m_docks)
        dock->setVisible(isVisible);
}

QByteArray Docks::state() const {
    return m_window.saveState(kStateVersion);
}

void Docks::restore(const QByteArray& state) {
    if (state.isEmpty() || !m_window.restoreState(state, kStateVersion))
        reset();
    updateTitles();
}

void Docks::updateTitles() {
    for (size_t i = 0; i < m_docks.size(); ++i)
        m_titles[i]->setCompact(!m_docks[i]->isFloating() &&
                                !m_window.tabifiedDockWidgets(m_docks[i]).isEmpty());
    for (QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setExpanding(false);
        bar->setDrawBase(false);
        bar->setElideMode(Qt::ElideNone);
    }
}

} // namespace fx
