// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers between runs, and the keys under which it does.
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace fx::ui {

/// DebugMemory::gradMode of a run that is differentiated.
inline constexpr char kOfLoss[] = "loss";

struct DebugMemory {
    QMap<QString, QString> inputs; ///< by placeholder
    QString inputsFile;
    QStringList breakpoints; ///< as the console's "break" takes them
    QStringList watches;     ///< expressions
    QStringList libraries;   ///< of operators, loaded before the model is opened
    QString seed;
    QString device;   ///< "cuda:0"; empty: the processor
    QString gradMode; ///< as parseGradMode() takes it; empty: inference; kOfLoss: gradients are found
    QString loss;     ///< of which, then: an expression; empty: the first floating output
    /// Whether operators may touch files, other programs and the terminal; none: nobody was asked. Not kept,
    /// as the file may be another one next time.
    std::optional<bool> isOutsideAllowed;
};

/// Of file dialogs.
inline constexpr char kLibraryFilter[] = "Libraries of operators (*.so *.so.*);;All files (*)";

class Settings {
public:
    /// The file in which they are.
    static QString path();
    /// Where there are none: those of earlier versions, which kept them in Qt's own format.
    static void takeOver();

    static QStringList recentFiles();
    static void addRecentFile(const QString& path);
    /// How the model of a source was made, as OpeningRequest::text() says it; empty: nothing was chosen.
    static QString howMade(const QString& path);
    static void setHowMade(const QString& path, const QString& request);

    /// What was inserted into graphs, the last first: "torch.clamp".
    static QStringList recentCalls();
    static void addRecentCall(const QString& text);

    /// Of hosts, the last first.
    static QStringList remoteAddresses();
    static void addRemoteAddress(const QString& address);

    /// Where packages are found that models are traced from, beside those that are installed.
    static QStringList packageFolders();
    static void setPackageFolders(const QStringList& folders);

    static QByteArray windowGeometry();
    static QByteArray windowState();
    static void saveWindow(const QByteArray& geometry, const QByteArray& state);

    /// Where the journals of edits are (core/session/journal.h).
    static QString journalFolder();

    /// What the pass editor shows; empty at first.
    static QString passFile();
    static void setPassFile(const QString& path);

    static int theme();
    static void setTheme(int choice);

    /// As CostService::chooseDevice() takes it; empty: none.
    static QString costDevice();
    static void setCostDevice(const QString& name);

    /// As SizesService::choose() takes them, by the path of a model; empty: none.
    static QString sizeNames(const QString& path);
    static void setSizeNames(const QString& path, const QString& names);

    /// What the process that runs a model may take, in bytes.
    static uint64_t workerMemoryLimit();
    /// The same as a part of the machine's memory, in hundredths.
    static int workerMemoryPercent();
    static void setWorkerMemoryPercent(int percent);

    /// What was set for a model, by its path.
    static DebugMemory debugMemory(const QString& path);
    static void saveDebugMemory(const QString& path, const DebugMemory& memory);
};

} // namespace fx::ui
