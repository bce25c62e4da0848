// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the trace dialog for what torch.fx's tracers take, and where packages are found. The folders of
// packages are remembered.
#pragma once

#include "core/open/python_source.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>

class QFormLayout;

namespace fx::ui {

class TracerOptionsBox : public QWidget {
    Q_OBJECT

public:
    explicit TracerOptionsBox(const QFont& fixedFont);

    QStringList packageFolders() const;
    /// What only source has is shown for it alone.
    void setTakesSource(bool takesSource);
    /// Puts in what is said here; of package folders and examples only for source.
    void writeTo(TraceOptions& options) const;
    /// Shows options that were chosen before, but for the package folders, which are remembered for all.
    void recall(const TraceOptions& options);

Q_SIGNALS:
    void packageFoldersChanged();

private:
    void addPackageFolder();
    void keepPackageFolders();

    QCheckBox *m_constantShapes, *m_proxiedBuffers;
    QLineEdit *m_wrapped, *m_folders;
    QPlainTextEdit* m_examples;
    QWidget* m_foldersRow;
    QFormLayout* m_form;
    bool m_takesSource = true;
};

/// The words of a text, with commas or blanks between them.
std::vector<std::string> wordsIn(const QString& text);
/// A field of a few lines, "name=value" each.
QPlainTextEdit* makeLinesField(const QFont& fixedFont, const QString& name, const QString& example,
                               const QString& toolTip);
/// Its lines; of what is not "name=value", with an empty name.
std::vector<std::pair<std::string, std::string>> namedLines(const QPlainTextEdit& field);
QString linesText(const std::vector<std::pair<std::string, std::string>>& named);

} // namespace fx::ui
