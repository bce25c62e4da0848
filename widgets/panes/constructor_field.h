// SPDX-License-Identifier: GPL-3.0-or-later
// The call of a constructor: a line for all of it, and below it a line for each parameter. What is written in
// one stands in the other at once; while the call cannot be read, its parameters are greyed out.
#pragma once

#include "core/rewrite/constructor_form.h"

#include <QFont>
#include <QGridLayout>
#include <QLineEdit>
#include <QWidget>

#include <optional>
#include <vector>

namespace fx::ui {

class ConstructorField : public QWidget {
    Q_OBJECT

public:
    /// The call is what `line`, which becomes part of it, holds.
    ConstructorField(QLineEdit& line, const QFont& fixedFont);

private:
    void read();
    void showParameters();
    void write(size_t parameter, const QString& text);

    QLineEdit& m_line;
    const QFont m_fixedFont;
    QWidget* m_parameters;
    std::optional<ConstructorForm> m_form; ///< that is shown
    std::vector<QLineEdit*> m_fields;      ///< of each of its texts
    bool m_isWriting = false;
};

} // namespace fx::ui
