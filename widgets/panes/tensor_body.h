// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor that was looked at: its numbers, the range of its colours, its picture and its elements, and how
// the user wants them. What is looked at is the pane's (tensor_pane.h), which asks for it with view().
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/panes/colour_scale.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

class QComboBox;
class QStackedWidget;

namespace fx::ui {

class AxesBar;
class Histogram;
class SampleRows;
class TensorImage;
class Theme;

class TensorBody : public QWidget {
    Q_OBJECT

public:
    explicit TensorBody(const Theme& theme);
    /// How it is to be looked at.
    ValueView view() const;
    /// Takes up how another one was looked at.
    void setView(const ValueView& view);
    void show(const Inspection& inspection);
    QLineEdit& expression() { return *m_expression; }
    QLineEdit& against() { return *m_against; }

Q_SIGNALS:
    /// By the user: it is to be asked for again.
    void viewChanged();

private:
    QLayout* makeExpressions();
    QLayout* makeRange();
    QWidget* makePicture();
    QWidget* makeElements();
    QToolButton* button(const QString& text, const QString& name, const QString& tip);
    void showStatistics(const TensorStatistics& statistics);
    void showPictures(const Inspection& inspection);
    void fit();
    void useScale(const ColourScale& scale);
    void goTo(const std::vector<int64_t>& element);
    void showCursor();
    QString elementText(double number) const;

    const Theme& m_theme;
    QWidget* m_numbers;
    QGridLayout* m_numberGrid;
    QLabel *m_note, *m_fault, *m_cursor;
    QLineEdit *m_expression, *m_against, *m_index, *m_words;
    Histogram* m_histogram;
    QToolButton *m_logarithmic, *m_fit, *m_lock, *m_toMinimum, *m_toMaximum, *m_toNan, *m_ownScale;
    QComboBox* m_part;
    AxesBar* m_axes;
    TensorImage* m_image;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QTableView* m_table;
    SampleRows* m_sample;

    ValueView m_view;
    ColourScale m_scale;
    bool m_isChosen = false; ///< the scale, by the user
    std::optional<TensorStatistics> m_statistics;
    std::optional<std::vector<int64_t>> m_going; ///< where the cursor is to be once its place is shown
    c10::ScalarType m_dtype = c10::ScalarType::Undefined;
};

} // namespace fx::ui
