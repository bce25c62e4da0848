// SPDX-License-Identifier: GPL-3.0-or-later
// The docks around the canvas, one for each pane (panes.h): where they are at first, in a narrow window, and
// after View > Reset layout.
#pragma once

#include "app/gui/panes.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QObject>
#include <QToolButton>

#include <vector>

namespace fx::ui {

class Docks;
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

private:
    QLabel *m_name, *m_detail;
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

    QDockWidget& dock(Pane pane) { return *m_docks[indexOf(pane)]; }
    /// Of all panes.
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    /// Shows the panes of a model in the place of those that are there. Null: there is none.
    void show(const DockPage* page);
    /// Brings a pane to the front, wherever it is.
    void show(Pane pane) { show(dock(pane)); }
    void show(QDockWidget& dock);
    void reset();
    /// Below 1200 pixels the right column goes into the tabs of the bottom.
    void adapt(int width);
    void setAllVisible(bool isVisible);
    QByteArray state() const;
    void restore(const QByteArray& state);

private:
    friend class DockPage;
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

    QMainWindow& m_window;
    const std::vector<PaneSpec> m_panes;
    std::vector<QDockWidget*> m_docks; ///< of each of them
    std::vector<DockTitle*> m_titles;
    const DockPage* m_page = nullptr; ///< that is shown
    bool m_isNarrow = false;
};

} // namespace fx::ui
