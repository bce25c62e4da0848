// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/parameter_line.h"

#include "widgets/support/qt_text.h"

namespace fx::ui {

QString labelOf(const CallParameter& parameter) {
    return qt(parameter.name) + (parameter.defaultText.empty() ? " *" : "");
}

QLineEdit* parameterLine(const CallParameter& parameter, const QString& text, const QFont& fixedFont) {
    auto* out = new QLineEdit(text);
    out->setFont(fixedFont);
    const QString byDefault = qt(parameter.defaultText), type = qt(parameter.type);
    out->setPlaceholderText(byDefault.isEmpty() || type.isEmpty() ? byDefault + type
                                                                  : byDefault + "   " + type);
    out->setAccessibleName(labelOf(parameter));
    return out;
}

} // namespace fx::ui
