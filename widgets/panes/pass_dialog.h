// SPDX-License-Identifier: GPL-3.0-or-later
// The options of a pass: a field for each, of its type, with its default in it and what is wrong with it
// below; and what the pass would do with them, which is tried while one types.
#pragma once

#include "core/passes/pass_options.h"
#include "widgets/support/job.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ui {

class PassDialog : public QDialog {
    Q_OBJECT

public:
    using Options = std::map<std::string, std::string>;
    /// Does it to a copy, and says what comes of it; called on another thread. Throws an Error where it
    /// cannot be done.
    using Trial = std::function<std::string(const Options&, Progress&)>;

    /// `graph`: the one that the pass is to run on, for the names of its nodes. `trial`: null where it is not
    /// to be tried.
    PassDialog(const Pass& pass, const Model& model, ModuleId graph, Trial trial, const QFont& fixedFont,
               QWidget* parent = nullptr);
    ~PassDialog() override;

    /// What is selected: fills the fields of nodes that are empty, and is offered beside those of calls.
    void suggestNodes(const QStringList& names);
    /// Fills a field that is empty.
    void suggest(std::string_view option, const QString& text);
    /// Where one begins to type.
    void focusOn(std::string_view option);
    /// The options that differ from their defaults, as texts, once the dialog was accepted.
    const Options& options() const { return m_options; }

    void accept() override;

private:
    struct Field {
        const PassOption* option;
        QWidget* editor; ///< has the name of the option as its accessible name
        QLabel* note;    ///< the help, or what is wrong
        std::function<QString()> text;
    };
    QWidget* makeEditor(Field& field, const QFont& fixedFont);
    QWidget* makeLine(Field& field, const QFont& fixedFont);
    /// The line with a button beside it.
    static QWidget* withButton(QLineEdit* line, QPushButton* button);
    /// Shows below the field what is wrong with its text, if anything is. `isFinal`: what is missing, too.
    bool check(const Field& field, bool isFinal);
    /// The texts of the fields that differ from the defaults of their options.
    Options changedOptions() const;
    /// changedOptions(); none if a field is wrong.
    std::optional<Options> wanted();
    void change();
    void tryIt();
    void say(const QString& text, bool isFault);

    const Pass& m_pass;
    const Model& m_model;
    ModuleId m_graph;
    const Trial m_trial;
    std::vector<Field> m_fields;
    Options m_options;
    QLabel* m_said;
    QStringList m_selected;                      ///< names of nodes
    std::vector<QPushButton*> m_selectionTakers; ///< beside fields of calls
    QTimer m_rest;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
