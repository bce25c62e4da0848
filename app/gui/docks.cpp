// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/docks.h"

#include "widgets/style/small_button.h"
#include "widgets/style/theme.h"

#include <QHBoxLayout>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace fx::ui {

namespace {

constexpr int kNarrow = 1200;
constexpr int kStateVersion = 3; ///< grows with the panes: an older state has no place for a new one

} // namespace

// --- DockTitle

DockTitle::DockTitle(QDockWidget& dock, const Theme& theme)
    : m_name(new QLabel(dock.windowTitle().toUpper())), m_detail(new QLabel),
      m_float(smallButton("float", "Take out of the window, or put back", theme)),
      m_close(smallButton("close", "Close; View > Panes brings it back", theme)) {
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
    row->addWidget(m_float);
    row->addWidget(m_close);
    connect(m_float, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    connect(m_close, &QToolButton::clicked, &dock, &QDockWidget::close);
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

// --- DockPage

DockPage::~DockPage() {
    if (m_docks.m_page == this)
        m_docks.show(nullptr);
    for (const Content& content : m_contents)
        delete content.widget;
}

void DockPage::fill(PaneContext& context) {
    m_contents.resize(m_docks.m_panes.size());
    for (size_t i = 0; i < m_contents.size(); ++i) {
        m_contents[i].widget = m_docks.m_panes[i].make(context);
        m_contents[i].widget->setAttribute(Qt::WA_StyledBackground);
    }
}

void DockPage::setCount(PaneId pane, int count) {
    const size_t index = m_docks.indexOf(pane);
    m_contents[index].count = count;
    if (m_docks.m_page == this)
        m_docks.showTitle(index);
}

void DockPage::setDetail(PaneId pane, const QString& detail) {
    const size_t index = m_docks.indexOf(pane);
    m_contents[index].detail = detail;
    if (m_docks.m_page == this)
        m_docks.showTitle(index);
}

// --- Docks

Docks::Docks(QMainWindow& window, std::vector<PaneSpec> panes, const Theme& theme)
    : QObject(&window), m_window(window), m_panes(std::move(panes)) {
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks |
                          QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    for (const PaneSpec& pane : m_panes) {
        auto* dock = new QDockWidget(pane.title, &window);
        dock->setObjectName(pane.name);
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

size_t Docks::indexOf(Pane pane) const {
    const auto found = std::find_if(m_panes.begin(), m_panes.end(),
                                    [pane](const PaneSpec& each) { return each.id == pane; });
    return static_cast<size_t>(found - m_panes.begin());
}

QList<QDockWidget*> Docks::at(PanePlace place) const {
    QList<QDockWidget*> out;
    for (size_t i = 0; i < m_panes.size(); ++i)
        if (m_panes[i].place == place)
            out << m_docks[i];
    return out;
}

void Docks::show(const DockPage* page) {
    m_page = page;
    for (size_t i = 0; i < m_panes.size(); ++i) {
        m_docks[i]->setWidget(page ? page->m_contents[i].widget : nullptr);
        showTitle(i);
    }
}

void Docks::showTitle(size_t index) {
    const DockPage::Content content = m_page ? m_page->m_contents[index] : DockPage::Content();
    const QString& title = m_panes[index].title;
    m_docks[index]->setWindowTitle(content.count ? QString("%1 %2").arg(title).arg(content.count) : title);
    m_titles[index]->setDetail(content.detail);
}

void Docks::show(QDockWidget& dock) {
    dock.show();
    dock.raise();
    if (dock.widget())
        dock.widget()->setFocus();
}

void Docks::arrange(bool isNarrow) {
    m_isNarrow = isNarrow;
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    const QList<QDockWidget*> left = at(PanePlace::Left), bottom = at(PanePlace::Bottom);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, left[0]);
    for (qsizetype i = 1; i < left.size(); ++i)
        m_window.splitDockWidget(left[i - 1], left[i], Qt::Vertical);
    m_window.addDockWidget(Qt::BottomDockWidgetArea, bottom[0]);
    addTabs(bottom[0], bottom.mid(1));
    if (isNarrow)
        addTabs(bottom[0], rightColumn());
    else
        addColumn();
    for (QDockWidget* dock : m_docks)
        dock->show();
    for (const PanePlace place : {PanePlace::RightTop, PanePlace::RightBottom, PanePlace::Bottom})
        at(place)[0]->raise();
    applySizes();
    // Docks that were hidden take their sizes only once they are laid out.
    QTimer::singleShot(0, this, &Docks::applySizes);
    updateTitles();
}

void Docks::addTabs(QDockWidget* first, const QList<QDockWidget*>& others) {
    for (QDockWidget* dock : others)
        m_window.tabifyDockWidget(first, dock);
}

void Docks::addColumn() {
    const QList<QDockWidget*> top = at(PanePlace::RightTop), bottom = at(PanePlace::RightBottom);
    m_window.addDockWidget(Qt::RightDockWidgetArea, top[0]);
    m_window.splitDockWidget(top[0], bottom[0], Qt::Vertical);
    addTabs(top[0], top.mid(1));
    addTabs(bottom[0], bottom.mid(1));
}

void Docks::applySizes() {
    const int width = m_window.width(), height = m_window.height();
    const QList<QDockWidget*> left = at(PanePlace::Left);
    m_window.resizeDocks({left[0]}, {std::clamp(width * 15 / 100, 180, 320)}, Qt::Horizontal);
    QList<int> heights(left.size(), height * 18 / 100);
    heights[0] = height * 52 / 100;
    m_window.resizeDocks(left, heights, Qt::Vertical);
    m_window.resizeDocks({at(PanePlace::Bottom)[0]}, {std::clamp(height * 16 / 100, 130, 280)}, Qt::Vertical);
    if (!m_isNarrow) {
        QDockWidget *top = at(PanePlace::RightTop)[0], *bottom = at(PanePlace::RightBottom)[0];
        m_window.resizeDocks({top}, {width * 31 / 100}, Qt::Horizontal);
        m_window.resizeDocks({top, bottom}, {height * 30 / 100, height * 45 / 100}, Qt::Vertical);
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
    QDockWidget* tabs = at(PanePlace::Bottom)[0];
    const QList<QDockWidget*> column = rightColumn();
    QList<QDockWidget*> moved;
    for (QDockWidget* dock : column) {
        const bool isInColumn = m_window.dockWidgetArea(dock) == Qt::RightDockWidgetArea;
        const bool isInTabs = m_window.tabifiedDockWidgets(tabs).contains(dock);
        if (!dock->isFloating() && (isNarrow ? isInColumn : isInTabs))
            moved << dock;
    }
    if (!isNarrow && moved.size() < column.size())
        return;
    QList<QDockWidget*> shown;
    for (QDockWidget* dock : moved) {
        if (!dock->isHidden())
            shown << dock;
        // Else Qt keeps the room that it had.
        m_window.removeDockWidget(dock);
    }
    if (isNarrow)
        addTabs(tabs, moved);
    else
        addColumn();
    for (QDockWidget* dock : shown)
        dock->show();
    for (const PanePlace place :
         isNarrow ? std::vector{PanePlace::Bottom} : std::vector{PanePlace::RightTop, PanePlace::RightBottom})
        at(place)[0]->raise();
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

} // namespace fx::ui
