// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/text_label.h"

namespace fx::ui {

QLabel* textLabel(const char* objectName) {
    auto* label = new QLabel;
    label->setObjectName(objectName);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace fx::ui
