// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/code_service.h"

#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

CodeService::CodeService(const GraphDocument& document, const Selection& selection, QObject* parent)
    : QObject(parent), m_document(document), m_selection(selection) {
    connect(&document, &GraphDocument::changed, this, [this](const Changes& changes) {
        m_code->update(changes);
        Q_EMIT codeReady();
    });
    connect(&selection, &Selection::graphShown, this, &CodeService::rebuild);
    rebuild();
}

void CodeService::rebuild() {
    m_code = std::make_unique<PythonCode>(m_document.model(), m_selection.graph());
    const std::string& text = m_code->text();
    m_skipped = static_cast<int>(text.find_first_not_of('\n'));
    Q_EMIT codeReady();
}

QString CodeService::text() const {
    const std::string_view text = m_code->text();
    const size_t first = text.find_first_not_of('\n');
    const size_t last = text.find_last_not_of(" \n");
    return wholeQt(text.substr(first, last - first + 1));
}

int CodeService::lineOf(NodeId node) const {
    const int line = m_code->lineOf(node);
    return line < 0 ? -1 : line - m_skipped;
}

NodeId CodeService::nodeAtLine(int line) const {
    return m_code->nodeAtLine(line + m_skipped);
}

} // namespace fx::ui
