// SPDX-License-Identifier: GPL-3.0-or-later
// The generated Python of the shown graph, in step with every edit.
#pragma once

#include "core/codegen/python_code.h"

#include <QObject>

#include <memory>

namespace fx::ui {

class GraphDocument;
class Selection;

class CodeService : public QObject {
    Q_OBJECT

public:
    CodeService(const GraphDocument& document, const Selection& selection, QObject* parent = nullptr);

    /// Without the blank lines that torch.fx begins with.
    QString text() const;
    /// Lines of text(), from 0; -1 and no node where there is none.
    int lineOf(NodeId node) const;
    NodeId nodeAtLine(int line) const;

Q_SIGNALS:
    void codeReady();

private:
    void rebuild();

    const GraphDocument& m_document;
    const Selection& m_selection;
    std::unique_ptr<PythonCode> m_code;
    int m_skipped = 0; ///< blank lines at the start
};

} // namespace fx::ui
