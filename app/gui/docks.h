// SPDX-License-Identifier: GPL-3.0-or-later
// The panes around the canvas: where they are at first, in a narrow window, and after View > Reset layout.
#pragma once

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QObject>
#include <QToolButton>

#include <vector>

namespace fx {

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

class Docks : public QObject {
    Q_OBJECT

public:
    enum Pane {
        Modules,
        Breakpoints,
        Watches,
        Code,
        Source,
        Tensor,
        NodePane,
        Console,
        Steps,
        Problems,
        Count
    };

    Docks(QMainWindow& window, const Theme& theme);

    QDockWidget& dock(Pane pane) { return *m_docks[pane]; }
    /// With the panes of plugins, which come after `Count`.
    int count() const { return static_cast<int>(m_docks.size()); }
    void setContent(Pane pane, QWidget* content);
    /// "Steps 15": what the tab says.
    void setCount(Pane pane, int count);
    void setDetail(Pane pane, const QString& detail);
    /// Brings a pane to the front, wherever it is.
    void show(Pane pane);
    void reset();
    /// Below 1200 pixels the right column goes into the tabs of the bottom.
    void adapt(int width);
    void setAllVisible(bool isVisible);
    QByteArray state() const;
    void restore(const QByteArray& state);

private:
    void arrange(bool isNarrow);
    void addColumn();
    void applySizes();
    void updateTitles();

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_docks;
    std::vector<DockTitle*> m_titles;
    bool m_isNarrow = false;
};

} // namespace fx
