// SPDX-License-Identifier: GPL-3.0-or-later
// All that is known of the selected node: name, target and arguments, which can be edited, its inputs and
// users, metadata.
#pragma once

#include "core/interpret/debug_types.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWidget>

namespace fx {

struct Node;

} // namespace fx

namespace fx::ui {

class DebugService;
class GraphDocument;
class Selection;
class SizesService;
class Theme;

class InspectorPane : public QWidget {
    Q_OBJECT

public:
    InspectorPane(GraphDocument& document, Selection& selection, const DebugService& debug,
                  const SizesService& sizes, const Theme& theme);
    /// Puts the cursor into the name.
    void editName();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showNode();
    void showScope();
    void addArguments(const Node& node);
    void addLinks(const QString& title, ModuleId module, const std::vector<NodeId>& nodes);
    void addGradients(NodeRef node);
    void addSizes(NodeRef node);
    bool isBeingEdited() const;
    void addMeta(const Node& node);
    QTreeWidgetItem* addSection(const QString& title);
    void addFact(QTreeWidgetItem* section, const QString& name, const QString& text);
    /// Makes an edit of what was typed into a field.
    void setField(QLineEdit* field, const std::string& text);
    void commit(QLineEdit* field);
    /// Shows why something was refused; true for an empty reason.
    bool tell(const QString& reason);
    void editArgument(QTreeWidgetItem* item);
    void takeArgument(const QString& reason, int index, const QString& key);

    GraphDocument& m_document;
    Selection& m_selection;
    const DebugService& m_debug;
    const SizesService& m_sizes;
    const Theme& m_theme;
    QLineEdit *m_name, *m_target;
    QLabel *m_hint, *m_opcode, *m_fault;
    QWidget* m_form;
    QTreeWidget* m_rows;
    bool m_isFilling = false;
};

} // namespace fx::ui
