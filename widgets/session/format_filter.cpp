// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/format_filter.h"

#include "widgets/support/qt_text.h"

#include <QStringList>

namespace fx::ui {

QString formatFilter(const QString& title, const std::function<bool(const Format&)>& isMeant) {
    QStringList names;
    for (const Format& format : formats())
        if (isMeant(format))
            for (const std::string& ending : format.endings)
                names << '*' + qt(ending);
    names.removeDuplicates();
    return title + " (" + names.join(' ') + ')';
}

} // namespace fx::ui
