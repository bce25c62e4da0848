// SPDX-License-Identifier: GPL-3.0-or-later
// The docks around the canvas, one for each pane (panes.h): where they are at first, in a narrow window, and
// after View > Reset layout.
#pragma once

#include "app/gui/panes.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QObject>
#include <QTabBar>
#include <QToolButton>

#include <vector>

namespace fx::ui {

class Docks;
class PaneGroup;
class Theme;

/// The slim title of a dock; it vanishes where tabs say the same.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    DockTitle(QDockWidget& dock, const Theme& theme);
    void setDetail(const QString& detail);
    void setCompact(bool isCompact);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();

    QLabel *m_name, *m_detail;
    QString m_detailText;
    QToolButton *m_float, *m_close;
    bool m_isCompact = false;
};

/// What the docks hold of one model: its panes, and what their titles say. They go with it.
class DockPage {
public:
    explicit DockPage(Docks& docks) : m_docks(docks) {}
    DockPage(const DockPage&) = delete;
    DockPage& operator=(const DockPage&) = delete;
    ~DockPage();

    /// Makes the panes, which are seen once the page is shown.
    void fill(PaneContext& context);
    /// "Steps 15": what the tab says.
    void setCount(PaneId pane, int count);
    void setDetail(PaneId pane, const QString& detail);
    /// Docks::offer(), while the model is in front.
    void offer(PaneId pane);

private:
    friend class Docks;
    struct Content {
        QWidget* widget = nullptr;
        int count = 0;
        QString detail;
    };
    Docks& m_docks;
    std::vector<Content> m_contents; ///< of each pane
};

class Docks : public QObject {
    Q_OBJECT

public:
    using Pane = PaneId;
    using enum PaneId;

    Docks(QMainWindow& window, std::vector<PaneSpec> panes, const Theme& theme);

    /// Gives the dock that holds the pane, alone or with others.
    QDockWidget& dock(Pane pane) { return *m_docks[m_places[indexOf(pane)].dock]; }
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    QStringList paneTitles() const;
    /// Whether other panes share its dock. `pane`: its place among paneTitles().
    bool isInGroup(size_t pane) const { return m_places[pane].inGroup >= 0; }
    /// Shows the panes of a model in the place of those that are there. Null: there is none.
    void show(const DockPage* page);
    /// Brings a pane to the front, and expands the bottom if the pane is there.
    void show(Pane pane) { showPane(indexOf(pane)); }
    /// The same by the pane's place among paneTitles().
    void showPane(size_t pane);
    void show(QDockWidget& dock);
    /// Brings a pane that has something to show to the front if the bottom is collapsed. The focus stays.
    void offer(Pane pane);
    /// Expands the panes below the graph, or collapses them to their tabs.
    void setBottomOpen(bool isOpen);
    bool isBottomOpen() const { return m_isBottomOpen; }
    void reset();
    /// Below 1200 pixels the right column goes into the tabs of the bottom.
    void adapt(int width);
    void setAllVisible(bool isVisible);
    QByteArray state() const;
    void restore(const QByteArray& state);

private:
    friend class DockPage;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void addDock(const QString& name, const QString& title, const Theme& theme);
    size_t indexOf(Pane pane) const;
    void showTitle(size_t index);
    /// Those whose place it is, in order.
    QList<QDockWidget*> at(PanePlace place) const;
    QList<QDockWidget*> rightColumn() const { return at(PanePlace::RightTop) + at(PanePlace::RightBottom); }
    void arrange(bool isNarrow);
    void addTabs(QDockWidget* first, const QList<QDockWidget*>& others);
    void addColumn();
    void applySizes();
    void updateTitles();
    void applyBottom();
    int heightOfBottom() const;
    int tabHeight(const QDockWidget& dock) const;
    bool isInBottom(const QDockWidget& dock) const;

    struct Place {
        size_t dock = 0;
        int inGroup = -1; ///< -1: it has the dock for itself
    };

    QMainWindow& m_window;
    const std::vector<PaneSpec> m_panes;
    std::vector<Place> m_places; ///< of each of them
    std::vector<QDockWidget*> m_docks;
    std::vector<DockTitle*> m_titles;    ///< of each dock
    std::vector<PaneGroup*> m_groups;    ///< likewise; null: it holds one pane
    std::vector<PanePlace> m_dockPlaces; ///< likewise
    const DockPage* m_page = nullptr;    ///< that is shown
    bool m_isNarrow = false;
    bool m_isBottomOpen = false;
    int m_bottomHeight = 0;   ///< when it was open last; 0: never
    int m_tabUnderPress = -1; ///< that was in front when a press began
};

} // namespace fx::ui
