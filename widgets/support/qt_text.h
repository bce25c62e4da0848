// SPDX-License-Identifier: GPL-3.0-or-later
// The bridge between core's texts, which are UTF-8, and Qt's.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace fx::ui {

/// A text that is shown: within the limits of core/base/shown_text.h, as a file may hold any.
QString qt(std::string_view text);
/// All of a text: code, what is changed in a field, keys, and what goes to other programs.
inline QString wholeQt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
/// A text that was put together of others, within the same limits.
QString shown(const QString& text);

/// Gives the text of an error with the names of fields in the place of options of the command line:
/// "Leaf classes" for "--leaf".
QString faultText(std::string_view text);

inline std::string utf8(const QString& text) {
    return text.toStdString();
}

/// "25.6 M", "97.7 MB".
QString countLabel(quint64 count);
QString byteLabel(quint64 bytes);
/// "0.4 ms", "12 ms", "1.3 s".
QString timeLabel(double milliseconds);
/// For tool tips, which take text that looks like HTML for HTML: names of a file are shown as they are,
/// within limits.
QString plainTip(const QString& text);
/// What a file is called: by its name, or where it is a package by that of its folder.
QString nameOfModel(const QString& path);
/// Cut in the middle to about so many characters.
QString elided(const QString& text, int most);

} // namespace fx::ui
