// SPDX-License-Identifier: GPL-3.0-or-later
// The value of the selected node: description, statistics, and the elements of a slice. It gets finished
// values from the debugger, never a tensor.
#pragma once

#include "core/interpret/debug_types.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

namespace fx {

class DebugService;
class GraphDocument;
class Histogram;
class Selection;
class Theme;
class SampleModel;

class TensorPane : public QWidget {
    Q_OBJECT

public:
    TensorPane(const GraphDocument& document, const Selection& selection, DebugService& debug,
               const Theme& theme);
    void save();
    /// Opens the field for an expression that takes the place of the value.
    void editValue();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void request();
    void show(const Inspection& inspection);
    void showStatistics(const TensorStatistics& statistics);
    void takeNewValue();
    void closeNewValue();
    NodeRef shownNode() const;

    const GraphDocument& m_document;
    const Selection& m_selection;
    DebugService& m_debug;
    const Theme& m_theme;
    QLabel *m_title, *m_meta, *m_note, *m_fault;
    QWidget *m_body, *m_numbers;
    QGridLayout* m_numberGrid;
    Histogram* m_histogram;
    QLineEdit* m_index;
    QTableView* m_table;
    SampleModel* m_sample;
    QLabel* m_text;
    QToolButton *m_pin, *m_set, *m_save;
    QWidget* m_newRow; ///< the field for another value, with what is wrong with it
    QLineEdit* m_newValue;
    QLabel* m_newFault;
    NodeRef m_pinned, m_shown;
    bool m_isPinned = false;
};

} // namespace fx
