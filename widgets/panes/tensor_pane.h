// SPDX-License-Identifier: GPL-3.0-or-later
// The value of the selected node, or a tensor of the model, which needs no run: description, statistics,
// picture and elements (tensor_body.h). The first tab follows the selection, others stay with what they were
// locked on. It gets finished values from the debugger, never a tensor.
#pragma once

#include "core/interpret/debug_types.h"

#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QToolButton>
#include <QWidget>

class QComboBox;

namespace fx::ui {

class DebugService;
class GraphDocument;
class Selection;
class TensorBody;
class ThumbnailStrip;
class Theme;

class TensorPane : public QWidget {
    Q_OBJECT

public:
    TensorPane(const GraphDocument& document, const Selection& selection, DebugService& debug,
               const Theme& theme);
    void save();
    /// Opens the field for an expression that takes the place of the value.
    void editValue();
    bool isSettable() const { return m_set->isEnabled(); }

Q_SIGNALS:
    /// By the user, of those that are shown small.
    void nodeChosen(fx::NodeRef node);
    /// Perhaps isSettable() says something else now.
    void subjectChanged();
    /// A tensor of the model is to be what the expression gives, in which `value` is what it is.
    void tensorEdited(const QString& path, const QString& expression);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What is looked at: the value of a node, or a tensor that belongs to it or to the selected module.
    struct Subject {
        NodeRef node;
        TensorId tensor;         ///< none: the node's value
        QString title;           ///< of the node, or the path of the tensor
        bool isGradient = false; ///< of that, which the run's loss has
        QString path = {};       ///< of the tensor
        bool operator==(const Subject&) const = default;
    };
    struct Tab {
        Subject subject;
        ValueView view;
    };
    /// What can be chosen instead of the value: a tensor of the model, a gradient.
    struct Choice {
        QString name, path;
        TensorId tensor; ///< none: of the node's value
        bool isGradient = false;
    };

    QLayout* makeHead();
    void request();
    /// Of the tab that follows.
    Subject followed();
    void fillChoices(NodeRef node, const QString& scope);
    void addGradients(NodeRef node);
    void ask(const Subject& subject);
    void show(const Inspection& inspection);
    void showAbsence(const Inspection& inspection);
    QString noteOf(const Inspection& inspection) const;
    bool isThere(const Subject& subject) const;
    void showNothing();
    /// What is shown small: what the node reads, then what it gives.
    std::vector<NodeRef> besideOf(NodeRef node) const;
    void showBeside(const Inspection& inspection);
    void lock();
    void closeTab(int tab);
    void showTab(int tab);
    void forgetWhatIsGone();
    void takeNewValue();
    void closeNewValue();
    void pickNewValue();

    const GraphDocument& m_document;
    const Selection& m_selection;
    DebugService& m_debug;
    QTabBar* m_tabs;
    QLabel *m_title, *m_meta, *m_note, *m_text;
    QComboBox* m_what;
    ThumbnailStrip* m_beside;
    TensorBody* m_body;
    QToolButton *m_pin, *m_set, *m_save, *m_pick;
    QWidget* m_newRow; ///< the field for another value, with what is wrong with it
    QLineEdit* m_newValue;
    QLabel* m_newFault;
    std::vector<Tab> m_open{1}; ///< by the index of its tab; the first follows
    std::vector<Choice> m_choices;
    NodeRef m_chosenFor; ///< what the choice was made for
    QString m_chosenScope;
    std::optional<int> m_chosen;  ///< by the user: -1 the value, else an index of m_choices
    bool m_wantsGradient = false; ///< of each node, as the user has chosen that of one
    Subject m_shown;
};

} // namespace fx::ui
