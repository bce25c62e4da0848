// SPDX-License-Identifier: GPL-3.0-or-later
// A call to be put into a graph: its arguments as a form, where it goes, and what comes of it, which is tried
// while one types.
#pragma once

#include "core/open/open.h"
#include "core/rewrite/callables.h"
#include "widgets/support/job.h"

#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTimer>

namespace fx::ui {

/// Where one has asked for it: at a node, on the wire from it to a reader, or nowhere.
struct InsertPlace {
    ModuleId graph;
    NodeId producer, reader;
    bool isApart = false;  ///< who reads the producer goes on to read it
    bool isBefore = false; ///< between the producer and what that reads first
};

class InsertDialog : public QDialog {
    Q_OBJECT

public:
    using Options = std::map<std::string, std::string>; ///< of the pass `insert`
    /// Does it to a copy, and says what the new node gives; called on another thread. Throws an Error where
    /// it cannot be done.
    using Trial = std::function<std::string(const Options&, Progress&)>;

    InsertDialog(std::shared_ptr<const OpenedModel> model, const InsertPlace& place, const Callable& callable,
                 Trial trial, const QFont& fixedFont, QWidget* parent = nullptr);
    ~InsertDialog() override;
    Options options() const;
    /// Puts a node that was picked elsewhere into the field that one is in, or was in last.
    void takeNode(NodeId node);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showForm();
    void offerPlaces();
    void followPlace();
    /// What the call is to read first: of the place that is chosen.
    NodeId readNode() const;
    void change();
    /// Whether a parameter must be given, and is not; and whether that can be left to a wire.
    bool isMissing(size_t parameter) const;
    bool canWait(size_t parameter) const;
    QString waitsFor() const; ///< names; empty: the call is whole
    void tryIt();
    void say(const QString& text, bool isFault);
    const CallForm& form() const; ///< that is shown
    std::vector<std::string> texts() const;
    QString suggestion(const CallParameter& parameter, size_t at);

    const std::shared_ptr<const OpenedModel> m_model;
    const InsertPlace m_place;
    const Callable m_callable;
    const Trial m_trial;
    const QFont m_fixedFont;
    std::vector<CallForm> m_forms;
    QComboBox *m_overload, *m_where;
    QFormLayout* m_arguments;
    std::vector<QLineEdit*> m_fields; ///< one for each parameter, and one for *more
    QPointer<QLineEdit> m_field;      ///< of these, the one that had the focus last
    QLineEdit* m_name;
    QLabel *m_call, *m_said;
    QPushButton* m_insert;
    QPointer<QLineEdit> m_suggested; ///< of the fields, the one that has a node without anybody having typed
    std::vector<std::pair<NodeId, NodeId>> m_places; ///< whose readers read it, and which; for m_where
    QTimer m_rest;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
