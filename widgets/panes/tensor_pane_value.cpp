// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with the value that the tensor pane shows: another one is put in its place, or it is saved.
#include "core/base/unicode.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QKeyEvent>

namespace fx::ui {

void TensorPane::editValue() {
    if (!m_set->isEnabled())
        return;
    const QString name = m_shown.tensor
                             ? "value"
                             : qt(m_document.model().graph(m_shown.node.module).node(m_shown.node.node).name);
    m_newValue->setPlaceholderText("an expression such as " + name +
                                   (m_shown.tensor ? " * 0; Enter edits the model, Esc leaves it"
                                                   : " * 0, or @file.npy; Enter sets it, Esc leaves it"));
    m_pick->setVisible(!m_shown.tensor);
    m_newValue->clear();
    m_newFault->hide();
    m_newRow->show();
    m_newValue->setFocus();
}

void TensorPane::takeNewValue() {
    const QString text = m_newValue->text().trimmed();
    if (text.isEmpty())
        closeNewValue();
    else if (m_shown.tensor)
        Q_EMIT tensorEdited(m_shown.path, text);
    else
        m_debug.values().set(m_shown.node, text);
}

void TensorPane::pickNewValue() {
    const QString path =
        m_debug.place().host()
            ? QInputDialog::getText(this, "Value from a file",
                                    "File on " + qt(oneLine(m_debug.place().host()->name())))
            : QFileDialog::getOpenFileName(this, "Value from a file", {},
                                           "Values and runs (*.npy *.npz *.pt *.safetensors)");
    if (path.isEmpty())
        return;
    m_newValue->setText('@' + path);
    m_newValue->setFocus();
}

void TensorPane::closeNewValue() {
    // First, or Qt would move the focus on to the next field.
    if (m_newValue->hasFocus())
        m_set->setFocus();
    m_newRow->hide();
}

bool TensorPane::eventFilter(QObject* watched, QEvent* event) {
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (watched == m_newValue && key == Qt::Key_Escape) {
        closeNewValue();
        return true;
    }
    if (watched == m_tabs && key == Qt::Key_Delete) {
        closeTab(m_tabs->currentIndex());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TensorPane::save() {
    if (!m_save->isEnabled())
        return;
    const bool isPath = m_shown.tensor && !m_shown.path.isEmpty();
    const QString name =
        (isPath ? m_shown.path : m_shown.title) + (m_shown.isGradient && !isPath ? ".grad" : "");
    const QString title = "Save " + name;
    QString path =
        m_debug.place().host()
            ? QInputDialog::getText(this, title, "File on " + qt(oneLine(m_debug.place().host()->name())),
                                    QLineEdit::Normal, name + ".npy")
            : QFileDialog::getSaveFileName(this, title, name + ".npy", "NumPy array (*.npy)");
    if (path.isEmpty())
        return;
    if (!path.endsWith(".npy"))
        path += ".npy";
    m_debug.values().save(m_shown.node, path, m_shown.isGradient, m_shown.tensor);
}

} // namespace fx::ui
