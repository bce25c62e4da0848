// SPDX-License-Identifier: GPL-3.0-or-later
// A pass of the user's own, written beside the graph. What is typed is in its file at once, so that nothing
// is lost when the model is closed; running it is the window's business.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace fx::ui {

class CodeView;
class Theme;

class PassEditorPane : public QWidget {
    Q_OBJECT

public:
    /// `folder`: where new passes go.
    PassEditorPane(const QString& folder, const Theme& theme);

    const QString& path() const { return m_path; }
    /// Shows the file; one that is not there yet begins with a pass that does nothing.
    void open(const QString& path);
    /// A free name in the folder.
    void openNew();
    /// What came of a run: an error of this file is shown at its line.
    void showFault(const QString& reason);
    void clearFault();
    /// Shows a line, from 1, of the file, which is opened where it is another.
    void showPlace(const QString& path, int line);

Q_SIGNALS:
    /// The file is written.
    void runWanted(const QString& path);
    /// Why the file could not be read or written.
    void failed(const QString& reason);

private:
    bool write();
    void browse();
    void run();
    void tell(const QString& text, bool isFault);

    const QString m_folder;
    const Theme& m_theme;
    QString m_path, m_written;
    QLabel *m_name, *m_status;
    QToolButton* m_run;
    CodeView* m_code;
};

} // namespace fx::ui
