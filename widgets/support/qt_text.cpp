// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/qt_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"

#include <QFileInfo>
#include <QTextDocument>

namespace fx::ui {

namespace {

/// Letters of a text that is within the limits, whatever they are: lines are counted in longer ones.
constexpr qsizetype kSurelyShown = ShownLimits().lines;

} // namespace

QString qt(std::string_view text) {
    return text.size() <= static_cast<size_t>(kSurelyShown) ? wholeQt(text) : wholeQt(shownPart(text));
}

QString shown(const QString& text) {
    return text.size() <= kSurelyShown ? text : qt(utf8(text));
}

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

QString plainTip(const QString& whole) {
    const QString text = shown(whole);
    return Qt::mightBeRichText(text)
               ? "<span style='white-space: pre-wrap'>" + text.toHtmlEscaped() + "</span>"
               : text;
}

} // namespace fx::ui
