// SPDX-License-Identifier: GPL-3.0-or-later
// The user's source behind the selected node: the frames of its recorded stack trace, and the file where it
// is at hand.
#pragma once

#include "core/console/source_frames.h"

#include <QComboBox>
#include <QLabel>
#include <QWidget>

namespace fx::ui {

class CodeView;
class GraphDocument;
class Selection;
class Theme;

class SourcePane : public QWidget {
    Q_OBJECT

public:
    SourcePane(const GraphDocument& document, const Selection& selection, const Theme& theme);

private:
    void showNode();
    void showFrame(int index);

    const GraphDocument& m_document;
    const Selection& m_selection;
    QComboBox* m_frameList;
    QLabel* m_note;
    CodeView* m_view;
    std::vector<SourceFrame> m_frames; ///< innermost first
    QString m_shownFile;
};

} // namespace fx::ui
