// SPDX-License-Identifier: GPL-3.0-or-later
// Tells when somebody else changes, replaces or deletes the file of the open model. What that means for the
// data that is read from it is for core/base/file_memory.h.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <optional>
#include <sys/stat.h>
#include <tuple>

namespace fx::ui {

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);
    /// From now on this file, as it is now; none if the path is empty or not that of a file.
    void follow(const QString& path);
    /// While the program may write the file itself. What has changed meanwhile is told afterwards.
    void setPaused(bool isPaused);

Q_SIGNALS:
    /// Once it has come to rest: it may have been written in pieces.
    void changed();
    void deleted();

private:
    /// Which file has the name, and when it was last written; none if there is no file.
    using State = std::optional<std::tuple<dev_t, ino_t, off_t, time_t, long>>;
    static State stateOf(const QString& path);
    void watch();
    void look();

    QString m_path;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    State m_known; ///< and told
    State m_seen;  ///< when it was looked at last
    bool m_isPaused = false;
};

} // namespace fx::ui
