// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/source_pane.h"

#include "widgets/document/graph_document.h"
#include "widgets/panes/code_view.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QFile>
#include <QFileInfo>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr qint64 kMostBytes = 4 << 20;

/// The path comes from the model file, so only what is surely Python text is read; empty otherwise.
QString readSource(const QString& path) {
    const QFileInfo info(path);
    if (!info.isFile() || info.suffix() != "py" || info.size() > kMostBytes)
        return {};
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

SourcePane::SourcePane(const GraphDocument& document, const Selection& selection, const Theme& theme)
    : m_document(document), m_selection(selection), m_frameList(new QComboBox), m_note(new QLabel),
      m_view(new CodeView(theme, "Source", this)) {
    m_frameList->setAccessibleName("Frames of the stack trace");
    m_frameList->setToolTip("The calls that led to this node when the model was captured");
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(6);
    for (QWidget* inset : {static_cast<QWidget*>(m_frameList), static_cast<QWidget*>(m_note)}) {
        auto* row = new QHBoxLayout;
        row->setContentsMargins(14, 0, 14, 0);
        row->addWidget(inset);
        column->addLayout(row);
    }
    column->addWidget(m_view, 1);
    connect(m_frameList, &QComboBox::currentIndexChanged, this, &SourcePane::showFrame);
    connect(&selection, &Selection::changed, this, &SourcePane::showNode);
    showNode();
}

void SourcePane::showNode() {
    const QSignalBlocker blocker(m_frameList);
    m_frameList->clear();
    m_frames.clear();
    const NodeId id = m_selection.currentNode();
    if (id) {
        m_frames = sourceFrames(m_document.model().graph(m_selection.graph()).node(id));
        std::reverse(m_frames.begin(), m_frames.end());
    }
    for (const SourceFrame& frame : m_frames)
        m_frameList->addItem(QString("%1:%2  %3")
                                 .arg(QFileInfo(qt(frame.file)).fileName())
                                 .arg(frame.line)
                                 .arg(qt(frame.function)));
    m_frameList->setVisible(!m_frames.empty());
    int first = 0;
    if (id)
        if (const auto shown = sourceOf(m_document.model().graph(m_selection.graph()).node(id)))
            for (size_t i = 0; i < m_frames.size(); ++i)
                if (m_frames[i].file == shown->file && m_frames[i].line == shown->line) {
                    first = static_cast<int>(i);
                    break;
                }
    m_frameList->setCurrentIndex(first);
    showFrame(m_frames.empty() ? -1 : first);
}

void SourcePane::showFrame(int index) {
    m_note->hide();
    if (index < 0) {
        m_view->showText({});
        m_view->hide();
        m_shownFile.clear();
        m_note->setText(m_selection.currentNode() ? "The file records no source line for this node."
                                                  : "Select a node to see the source line it came from.");
        m_note->show();
        return;
    }
    m_view->show();
    const SourceFrame& frame = m_frames[static_cast<size_t>(index)];
    const QString path = qt(frame.file);
    const QString source = readSource(path);
    const int line = frame.line - 1;
    const QString recorded = qt(frame.code).trimmed();
    const bool isThere = !source.isEmpty() && line < source.count('\n') + 1;
    if (isThere) {
        if (path != m_shownFile)
            m_view->showText(source);
        m_shownFile = path;
        m_view->mark(CodeView::Mark::Selected, {line});
        m_view->reveal(line);
        if (!recorded.isEmpty() && source.split('\n')[line].trimmed() != recorded) {
            m_note->setText("The file has changed since the model was captured; the line was: " + recorded);
            m_note->show();
        }
        return;
    }
    m_shownFile.clear();
    m_note->setText(path + " is not on this machine. This is the line as it was recorded:");
    m_note->show();
    m_view->showText(recorded);
    m_view->mark(CodeView::Mark::Selected, {0});
}

} // namespace fx::ui
