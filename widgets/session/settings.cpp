// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/settings.h"

#include "core/base/memory_use.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileDevice>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <unistd.h>
#include <utility>

namespace fx::ui {

namespace {

constexpr int kMostRecent = 8;

bool readJson(QIODevice& device, QSettings::SettingsMap& settings) {
    const QJsonDocument document = QJsonDocument::fromJson(device.readAll());
    settings = document.object().toVariantMap();
    return document.isObject();
}

/// Brings all of it to the disk before Qt moves it into place: Qt does not notice that what was in its buffer
/// when it closed the file could not be written.
bool writeJson(QIODevice& device, const QSettings::SettingsMap& settings) {
    const QByteArray text = QJsonDocument(QJsonObject::fromVariantMap(settings)).toJson();
    auto* file = qobject_cast<QFileDevice*>(&device);
    return file && file->write(text) == text.size() && file->flush() && ::fsync(file->handle()) == 0;
}

QSettings::Format jsonFormat() {
    static const QSettings::Format format = QSettings::registerFormat("json", readJson, writeJson);
    return format;
}

class OpenSettings : public QSettings {
public:
    OpenSettings()
        : QSettings(jsonFormat(), UserScope, QCoreApplication::organizationName(),
                    QCoreApplication::applicationName()) {}
};

/// Settings that are changed, which Qt writes beside the file and moves into place when this object ends.
class KeptSettings : public OpenSettings {
public:
    ~KeptSettings() override {
        sync();
        static bool wasTold = false;
        if (status() != NoError && !std::exchange(wasTold, true))
            qWarning("note: %s: cannot be written, so that settings are not kept",
                     qUtf8Printable(fileName()));
    }
};

/// JSON has no bytes.
QString textOf(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

QString keyOf(const QString& group, const QString& path) {
    const QByteArray hash =
        QCryptographicHash::hash(QFileInfo(path).absoluteFilePath().toUtf8(), QCryptographicHash::Sha1);
    return group + '/' + QString::fromLatin1(hash.toHex().left(16));
}

} // namespace

QString Settings::path() {
    return OpenSettings().fileName();
}

void Settings::takeOver() {
    OpenSettings settings;
    if (!settings.allKeys().isEmpty())
        return;
    const QSettings old;
    for (const QString& key : old.allKeys()) {
        const QVariant value = old.value(key);
        settings.setValue(key,
                          value.userType() == QMetaType::QByteArray ? textOf(value.toByteArray()) : value);
    }
}

QStringList Settings::recentFiles() {
    return OpenSettings().value("recent").toStringList();
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    KeptSettings().setValue("recent", files.mid(0, kMostRecent));
}

QString Settings::howMade(const QString& path) {
    return OpenSettings().value(keyOf("made", path)).toString();
}

void Settings::setHowMade(const QString& path, const QString& request) {
    if (request.isEmpty())
        KeptSettings().remove(keyOf("made", path));
    else
        KeptSettings().setValue(keyOf("made", path), request);
}

QStringList Settings::recentCalls() {
    return OpenSettings().value("recentCalls").toStringList();
}

void Settings::addRecentCall(const QString& text) {
    QStringList calls = recentCalls();
    calls.removeAll(text);
    calls.prepend(text);
    KeptSettings().setValue("recentCalls", calls.mid(0, kMostRecent));
}

QStringList Settings::remoteAddresses() {
    return OpenSettings().value("remoteAddresses").toStringList();
}

void Settings::addRemoteAddress(const QString& address) {
    QStringList addresses = remoteAddresses();
    addresses.removeAll(address);
    addresses.prepend(address);
    KeptSettings().setValue("remoteAddresses", addresses.mid(0, kMostRecent));
}

QStringList Settings::packageFolders() {
    return OpenSettings().value("packageFolders").toStringList();
}

void Settings::setPackageFolders(const QStringList& folders) {
    KeptSettings().setValue("packageFolders", folders);
}

QByteArray Settings::windowGeometry() {
    return QByteArray::fromBase64(OpenSettings().value("window/geometry").toByteArray());
}

QByteArray Settings::windowState() {
    return QByteArray::fromBase64(OpenSettings().value("window/state").toByteArray());
}

void Settings::saveWindow(const QByteArray& geometry, const QByteArray& state) {
    KeptSettings().setValue("window/geometry", textOf(geometry));
    KeptSettings().setValue("window/state", textOf(state));
}

uint64_t Settings::workerMemoryLimit() {
    return machineBytes() / 100 * static_cast<uint64_t>(workerMemoryPercent());
}

int Settings::workerMemoryPercent() {
    return OpenSettings().value("worker/memory", 80).toInt();
}

void Settings::setWorkerMemoryPercent(int percent) {
    KeptSettings().setValue("worker/memory", percent);
}

QString Settings::journalFolder() {
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    return (state.startsWith('/') ? state : QDir::homePath() + "/.local/state") + "/fxscope/journals";
}

QString Settings::passFile() {
    return OpenSettings().value("passFile").toString();
}

void Settings::setPassFile(const QString& path) {
    KeptSettings().setValue("passFile", path);
}

QString Settings::costDevice() {
    return OpenSettings().value("costDevice").toString();
}

void Settings::setCostDevice(const QString& name) {
    KeptSettings().setValue("costDevice", name);
}

QString Settings::sizeNames(const QString& path) {
    return OpenSettings().value(keyOf("sizes", path)).toString();
}

void Settings::setSizeNames(const QString& path, const QString& names) {
    if (names.isEmpty())
        KeptSettings().remove(keyOf("sizes", path));
    else
        KeptSettings().setValue(keyOf("sizes", path), names);
}

int Settings::theme() {
    return OpenSettings().value("theme", 0).toInt();
}

void Settings::setTheme(int choice) {
    KeptSettings().setValue("theme", choice);
}

DebugMemory Settings::debugMemory(const QString& path) {
    OpenSettings settings;
    settings.beginGroup(keyOf("models", path));
    DebugMemory memory;
    memory.inputsFile = settings.value("inputsFile").toString();
    memory.breakpoints = settings.value("breakpoints").toStringList();
    memory.watches = settings.value("watches").toStringList();
    memory.libraries = settings.value("libraries").toStringList();
    memory.seed = settings.value("seed").toString();
    memory.device = settings.value("device").toString();
    memory.gradMode = settings.value("gradMode").toString();
    memory.loss = settings.value("loss").toString();
    settings.beginGroup("inputs");
    for (const QString& name : settings.childKeys())
        memory.inputs[name] = settings.value(name).toString();
    return memory;
}

void Settings::saveDebugMemory(const QString& path, const DebugMemory& memory) {
    KeptSettings settings;
    settings.beginGroup(keyOf("models", path));
    settings.remove("");
    settings.setValue("path", path);
    settings.setValue("inputsFile", memory.inputsFile);
    settings.setValue("breakpoints", memory.breakpoints);
    settings.setValue("watches", memory.watches);
    settings.setValue("libraries", memory.libraries);
    settings.setValue("seed", memory.seed);
    settings.setValue("device", memory.device);
    settings.setValue("gradMode", memory.gradMode);
    settings.setValue("loss", memory.loss);
    settings.beginGroup("inputs");
    for (auto input = memory.inputs.begin(); input != memory.inputs.end(); ++input)
        settings.setValue(input.key(), input.value());
}

} // namespace fx::ui
