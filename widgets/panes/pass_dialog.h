// SPDX-License-Identifier: GPL-3.0-or-later
// The options of a pass: a field for each, of its type, with its default in it and what is wrong with it
// below.
#pragma once

#include "core/passes/pass_options.h"

#include <QDialog>
#include <QLabel>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fx {

class PassDialog : public QDialog {
    Q_OBJECT

public:
    /// `graph`: the one that the pass is to run on, for the names of its nodes.
    PassDialog(const Pass& pass, const Model& model, ModuleId graph, const QFont& fixedFont,
               QWidget* parent = nullptr);

    /// Fills the fields of nodes that are empty.
    void suggestNodes(const QStringList& names);
    /// What was chosen, as texts, once the dialog was accepted.
    const std::map<std::string, std::string>& options() const { return m_options; }

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
    /// Shows below the field what is wrong with its text, if anything is. `isFinal`: what is missing, too.
    bool check(const Field& field, bool isFinal);

    const Pass& m_pass;
    const Model& m_model;
    ModuleId m_graph;
    std::vector<Field> m_fields;
    std::map<std::string, std::string> m_options;
};

} // namespace fx
