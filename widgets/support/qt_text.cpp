// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/qt_text.h"

#include "core/base/text.h"

#include <QFileInfo>
#include <QTextDocument>

namespace fx {

QString countLabel(quint64 count) {
    return qt(countText(count));
}

QString byteLabel(quint64 bytes) {
    return qt(byteText(bytes));
}

QString timeLabel(double milliseconds) {
    if (milliseconds >= 1000)
        return QString::number(milliseconds / 1000, 'f', 1) + " s";
    return QString::number(milliseconds, 'f', milliseconds < 10 ? 1 : 0) + " ms";
}

QString nameOfModel(const QString& path) {
    const QFileInfo file(path);
    return file.fileName() == "__init__.py" ? QFileInfo(file.absolutePath()).fileName() : file.fileName();
}

QString elided(const QString& text, int most) {
    if (text.size() <= most)
        return text;
    const int head = (most - 1) / 2;
    return text.left(head) + QChar(0x2026) + text.right(most - 1 - head);
}

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text)
               ? "<span style='white-space: pre-wrap'>" + text.toHtmlEscaped() + "</span>"
               : text;
}

} // namespace fx
