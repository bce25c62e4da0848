// SPDX-License-Identifier: GPL-3.0-or-later
// The built fxscope, run as a user would.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace fx {

struct CliResult {
    int code = -1; ///< -1: it crashed or did not end within two minutes
    QString out, err;
};

/// `limits`: what goes before the program, such as "prlimit --as=...".
inline CliResult runCli(const QStringList& arguments, const QString& input = {}, QStringList limits = {}) {
    QProcess process;
    limits << FXSCOPE_BUILD "/bin/fxscope" << arguments;
    process.start(limits.takeFirst(), limits);
    process.write(input.toUtf8());
    process.closeWriteChannel();
    CliResult result;
    if (process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit)
        result.code = process.exitCode();
    process.kill();
    result.out = QString::fromUtf8(process.readAllStandardOutput());
    result.err = QString::fromUtf8(process.readAllStandardError());
    return result;
}

} // namespace fx
