// SPDX-License-Identifier: GPL-3.0-or-later
// What the program shows without a model: open, recent files, samples, and the keys that matter.
#pragma once

#include <QScrollArea>
#include <QString>
#include <QVBoxLayout>

namespace fx::ui {

class Theme;

class StartPage : public QScrollArea {
    Q_OBJECT

public:
    /// `samples`: the folder of the sample models; what is not there is not offered.
    StartPage(const QString& samples, const Theme& theme);
    void refresh();

Q_SIGNALS:
    void openWanted();
    void fileWanted(const QString& path);

private:
    QVBoxLayout* addColumn(const QString& heading);
    void addLink(QVBoxLayout& column, const QString& text, const QString& detail, const QString& path);

    QString m_samples;
    const Theme& m_theme;
    QVBoxLayout* m_recent = nullptr;
    class QHBoxLayout* m_columns = nullptr;
};

} // namespace fx::ui
