// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/qt_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTextDocument>

namespace fx::ui {

namespace {

/// Letters of a text that is within the limits, whatever they are: lines are counted in longer ones.
constexpr qsizetype kSurelyShown = ShownLimits().lines;

struct WindowWords {
    const char* pattern; ///< a regular expression
    const char* words;
};
/// Commands and options that are called otherwise in the window. Other options are called as they are
/// written: "--group-size" is "Group size".
const WindowWords kWindowWords[] = {
    {"fxscope run MODEL --save-reference FILE writes one", "Debug > Save run as reference writes one"},
    {"fxscope run MODEL --inputs? \\S+", "Debug > Inputs and run options"},
    {"fxscope info MODEL lists them", "Debug > Inputs and run options lists them"},
    {"fxscope apply MODEL (capture|to-aten)( -o \\S+)?", "Passes > Other operators > Capture operators"},
    {"fxscope graph .+ --(source|state) \\S+", "File > Trace with options"},
    {"--tracer meta --meta-args", "\u201cExamples\u201d"},
    {"--concrete-args", "\u201cFixed arguments\u201d"},
    {"--inputs?", "\u201cInputs\u201d"},
    {"--leaf", "\u201cLeaf classes\u201d"},
    {"--meta-args", "\u201cExamples\u201d"},
    {"--no-leaves", "\u201cLeaves\u201d"},
    {"--path DIR", "\u201cPackage folders\u201d"},
    {"--path", "\u201cPackage folders\u201d"},
    {"--source FILE.py", "\u201cClasses from\u201d"},
    {"--source", "\u201cClasses from\u201d"},
    {"--state", "\u201cWeights\u201d"},
    {"--wrap", "\u201cWrapped functions\u201d"},
};

} // namespace

QString qt(std::string_view text) {
    return text.size() <= static_cast<size_t>(kSurelyShown) ? wholeQt(text) : wholeQt(shownPart(text));
}

QString shown(const QString& text) {
    return text.size() <= kSurelyShown ? text : qt(utf8(text));
}

QString faultText(std::string_view text) {
    QString out = qt(text);
    if (!out.contains("--") && !out.contains("fxscope "))
        return out;
    for (const WindowWords& each : kWindowWords)
        out.replace(QRegularExpression(QString("(?<![\\w-])(?:%1)(?![\\w-])").arg(each.pattern)), each.words);
    // Behind a space or at the beginning: "a--b" and "--x" of Python's stay.
    static const QRegularExpression kOption("(?<![^\\s(])--([a-z]{2,}(?:-[a-z]+)*)");
    for (QRegularExpressionMatch found = kOption.match(out); found.hasMatch(); found = kOption.match(out)) {
        QString label = found.captured(1).replace('-', ' ');
        label[0] = label[0].toUpper();
        out.replace(found.capturedStart(), found.capturedLength(), QString("\u201c%1\u201d").arg(label));
    }
    return out;
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
