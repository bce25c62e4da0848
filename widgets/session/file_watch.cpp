// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

namespace fx::ui {

namespace {

constexpr int kRest = 300; ///< milliseconds

} // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kRest);
    connect(&m_timer, &QTimer::timeout, this, &FileWatch::look);
    // A busy folder has news all the time, and must not put it off for ever.
    const auto lookSoon = [this] {
        if (!m_timer.isActive())
            m_timer.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, lookSoon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, lookSoon);
}

FileWatch::State FileWatch::stateOf(const QString& path) {
    struct stat info {};
    if (path.isEmpty() || ::stat(QFile::encodeName(path).constData(), &info) != 0 || !S_ISREG(info.st_mode))
        return {};
    return std::make_tuple(info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

void FileWatch::follow(const QString& path) {
    m_known = m_seen = stateOf(path);
    m_path = m_known ? path : QString();
    m_timer.stop();
    watch();
}

void FileWatch::setPaused(bool isPaused) {
    m_isPaused = isPaused;
    if (!isPaused)
        m_timer.start();
}

/// The folder too: there is news of a file that takes the name. Anew each time, as it is files that are
/// watched, and not names.
void FileWatch::watch() {
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    if (m_path.isEmpty())
        return;
    for (const QString& each : {m_path, QFileInfo(m_path).absolutePath()})
        if (QFile::exists(each))
            m_watcher.addPath(each);
}

void FileWatch::look() {
    if (m_isPaused || m_path.isEmpty())
        return;
    const State now = stateOf(m_path);
    if (now != std::exchange(m_seen, now)) {
        watch();
        m_timer.start();
        return;
    }
    if (now == std::exchange(m_known, now))
        return;
    if (now)
        Q_EMIT changed();
    else
        Q_EMIT deleted();
}

} // namespace fx::ui
