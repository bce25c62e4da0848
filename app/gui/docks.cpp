// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/docks.h"

#include "app/gui/pane_group.h"
#include "widgets/style/small_button.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace fx::ui {

namespace {

constexpr int kNarrow = 1200;
constexpr int kStateVersion = 4; ///< grows with the panes: an older state has no place for a new one

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
    m_detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a narrow column cuts it
    row->addWidget(m_name);
    row->addWidget(m_detail, 1);
    row->addWidget(m_float);
    row->addWidget(m_close);
    connect(m_float, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    connect(m_close, &QToolButton::clicked, &dock, &QDockWidget::close);
}

void DockTitle::setDetail(const QString& detail) {
    m_detailText = detail;
    m_detail->setToolTip(plainTip(detail));
    elide();
}

void DockTitle::elide() {
    m_detail->setText(m_detail->fontMetrics().elidedText(m_detailText, Qt::ElideRight, m_detail->width()));
}

void DockTitle::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    elide();
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

void DockPage::offer(PaneId pane) {
    if (m_docks.m_page == this)
        m_docks.offer(pane);
}

// --- Docks

Docks::Docks(QMainWindow& window, std::vector<PaneSpec> panes, const Theme& theme)
    : QObject(&window), m_window(window), m_panes(std::move(panes)) {
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks |
                          QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    std::vector<QStringList> titles; // of the panes of each dock
    for (const PaneSpec& pane : m_panes) {
        const QString name = pane.group.isEmpty() ? pane.name : "group:" + pane.group;
        const auto known = std::ranges::find(m_docks, name, &QDockWidget::objectName);
        m_places.push_back({static_cast<size_t>(known - m_docks.begin())});
        if (known == m_docks.end()) {
            addDock(name, pane.group.isEmpty() ? pane.title : pane.group, theme);
            m_dockPlaces.push_back(pane.place);
            titles.emplace_back();
        }
        QStringList& beside = titles[m_places.back().dock];
        if (!pane.group.isEmpty())
            m_places.back().inGroup = static_cast<int>(beside.size());
        beside << pane.title;
    }
    for (size_t i = 0; i < m_docks.size(); ++i) {
        m_groups.push_back(titles[i].size() > 1 ? new PaneGroup(titles[i]) : nullptr);
        if (m_groups.back())
            m_docks[i]->setWidget(m_groups.back());
    }
    arrange(false);
}

void Docks::addDock(const QString& name, const QString& title, const Theme& theme) {
    auto* dock = new QDockWidget(title, &m_window);
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
    connect(dock, &QDockWidget::topLevelChanged, this, [this, dock](bool isFloating) {
        if (!isFloating || dock->maximumHeight() > 0)
            return;
        dock->setMaximumHeight(QWIDGETSIZE_MAX); // taken out of the tabs of the collapsed bottom
        dock->resize(dock->width(), heightOfBottom());
    });
}

size_t Docks::indexOf(Pane pane) const {
    const auto found = std::find_if(m_panes.begin(), m_panes.end(),
                                    [pane](const PaneSpec& each) { return each.id == pane; });
    return static_cast<size_t>(found - m_panes.begin());
}

QList<QDockWidget*> Docks::at(PanePlace place) const {
    QList<QDockWidget*> out;
    for (size_t i = 0; i < m_docks.size(); ++i)
        if (m_dockPlaces[i] == place)
            out << m_docks[i];
    return out;
}

QStringList Docks::paneTitles() const {
    QStringList out;
    for (const PaneSpec& pane : m_panes)
        out << pane.title;
    return out;
}

void Docks::show(const DockPage* page) {
    m_page = page;
    for (size_t dock = 0; dock < m_docks.size(); ++dock) {
        QList<QWidget*> panes;
        for (size_t i = 0; page && i < m_panes.size(); ++i)
            if (m_places[i].dock == dock)
                panes << page->m_contents[i].widget;
        if (m_groups[dock])
            m_groups[dock]->setPanes(panes);
        else
            m_docks[dock]->setWidget(panes.value(0));
    }
    for (size_t i = 0; i < m_panes.size(); ++i)
        showTitle(i);
}

void Docks::showTitle(size_t index) {
    const DockPage::Content content = m_page ? m_page->m_contents[index] : DockPage::Content();
    const auto counted = [](const QString& title, int count) {
        return count ? QString("%1 %2").arg(title).arg(count) : title;
    };
    const Place& place = m_places[index];
    const QString title = counted(m_panes[index].title, content.count);
    if (!m_groups[place.dock]) {
        m_docks[place.dock]->setWindowTitle(title);
        m_titles[place.dock]->setDetail(content.detail);
        return;
    }
    m_groups[place.dock]->setTitle(place.inGroup, title);
    if (place.inGroup == 0) // what a group is called after
        m_docks[place.dock]->setWindowTitle(counted(m_panes[index].group, content.count));
}

void Docks::showPane(size_t pane) {
    const Place& place = m_places[pane];
    if (m_groups[place.dock])
        m_groups[place.dock]->show(place.inGroup);
    show(*m_docks[place.dock]);
}

void Docks::show(QDockWidget& dock) {
    if (isInBottom(dock))
        setBottomOpen(true);
    dock.show();
    dock.raise();
    if (dock.widget())
        dock.widget()->setFocus();
}

void Docks::offer(Pane pane) {
    const Place& place = m_places[indexOf(pane)];
    QDockWidget& dock = *m_docks[place.dock];
    if (m_isBottomOpen || !isInBottom(dock) || dock.isHidden())
        return;
    if (m_groups[place.dock])
        m_groups[place.dock]->show(place.inGroup);
    setBottomOpen(true);
    dock.raise();
}

bool Docks::isInBottom(const QDockWidget& dock) const {
    return !dock.isFloating() &&
           m_window.dockWidgetArea(const_cast<QDockWidget*>(&dock)) == Qt::BottomDockWidgetArea;
}

void Docks::setBottomOpen(bool isOpen) {
    if (isOpen == m_isBottomOpen)
        return;
    QList<QDockWidget*> below;
    for (QDockWidget* dock : m_docks)
        if (isInBottom(*dock) && !dock->isHidden())
            below << dock;
    if (!isOpen)
        for (const QDockWidget* dock : below)
            if (!dock->visibleRegion().isEmpty())
                m_bottomHeight = dock->height() + tabHeight(*dock); // as resizeDocks() counts
    m_isBottomOpen = isOpen;
    applyBottom();
    if (isOpen && !below.isEmpty())
        m_window.resizeDocks({below[0]}, {m_bottomHeight ? m_bottomHeight : heightOfBottom()}, Qt::Vertical);
}

/// 0 for a dock that is no tab.
int Docks::tabHeight(const QDockWidget& dock) const {
    for (const QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int tab = 0; tab < bar->count(); ++tab)
            if (bar->count() > 1 && bar->tabText(tab) == dock.windowTitle())
                return bar->height();
    return 0;
}

int Docks::heightOfBottom() const {
    return std::clamp(m_window.height() * 24 / 100, 130, 280);
}

void Docks::applyBottom() {
    for (QDockWidget* dock : m_docks)
        dock->setMaximumHeight(
            !m_isBottomOpen && isInBottom(*dock) && tabHeight(*dock) > 0 ? 0 : QWIDGETSIZE_MAX);
}

void Docks::arrange(bool isNarrow) {
    m_isNarrow = isNarrow;
    m_isBottomOpen = isNarrow; // where the code is a tab of it
    m_bottomHeight = 0;
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
    applyBottom();
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
    m_window.resizeDocks({left[0]}, {std::clamp(width * 13 / 100, 180, 320)}, Qt::Horizontal);
    QList<int> heights(left.size(), height * 18 / 100);
    heights[0] = height * 52 / 100;
    m_window.resizeDocks(left, heights, Qt::Vertical);
    if (m_isBottomOpen)
        m_window.resizeDocks({at(PanePlace::Bottom)[0]}, {heightOfBottom()}, Qt::Vertical);
    if (!m_isNarrow) {
        QDockWidget *top = at(PanePlace::RightTop)[0], *bottom = at(PanePlace::RightBottom)[0];
        m_window.resizeDocks({top}, {width * 25 / 100}, Qt::Horizontal);
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
    if (isNarrow)
        setBottomOpen(true);
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
    return m_window.saveState(kStateVersion) + (m_isBottomOpen ? 'o' : 's');
}

void Docks::restore(const QByteArray& state) {
    // Of what is shut, the window has no height to save.
    m_isBottomOpen = true;
    applyBottom();
    if (state.isEmpty() || !m_window.restoreState(state.chopped(1), kStateVersion))
        reset();
    else {
        m_isBottomOpen = state.endsWith('o');
        m_isNarrow = m_window.dockWidgetArea(rightColumn()[0]) == Qt::BottomDockWidgetArea;
    }
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
        bar->installEventFilter(this); // also of bars that it has already
    }
    applyBottom(); // of docks that went to another area
}

/// A press on the tab in front collapses the bottom; while it is collapsed, one on any tab expands it.
bool Docks::eventFilter(QObject* watched, QEvent* event) {
    auto* bar = qobject_cast<QTabBar*>(watched);
    if (!bar || (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease))
        return QObject::eventFilter(watched, event);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const int tab = bar->tabAt(mouse->position().toPoint());
    const bool isOfBottom = std::ranges::any_of(m_docks, [&](const QDockWidget* dock) {
        return tab >= 0 && dock->windowTitle() == bar->tabText(tab) && isInBottom(*dock);
    });
    if (!isOfBottom || mouse->button() != Qt::LeftButton)
        return false;
    if (event->type() == QEvent::MouseButtonPress)
        m_tabUnderPress = bar->currentIndex() == tab ? tab : -1;
    else if (!m_isBottomOpen || m_tabUnderPress == tab)
        setBottomOpen(!m_isBottomOpen);
    return false;
}

} // namespace fx::ui
