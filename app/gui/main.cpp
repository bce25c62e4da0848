// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the desktop program: fxscope-gui [MODEL].
#include "app/gui/main_window.h"
#include "core/open/formats.h"
#include "core/plugins/plugin_host.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

/// Qt would end the process with a page of advice that does not fit.
bool hasDisplay() {
#ifdef Q_OS_LINUX
    const bool isChosen = qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    return isChosen || qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

} // namespace

int main(int argc, char** argv) {
    if (!hasDisplay()) {
        const std::string cli = std::filesystem::path(argv[0]).replace_filename("fxscope").string();
        std::fprintf(stderr,
                     "error: there is no display to open a window on; use the command line instead: "
                     "%s info MODEL, %s debug MODEL, %s --help\n",
                     cli.c_str(), cli.c_str(), cli.c_str());
        return 1;
    }
    for (const std::string& line : fx::faultLines(fx::loadPlugins(true)))
        std::fprintf(stderr, "note: %s\n", line.c_str());
    QApplication application(argc, argv);
    QApplication::setApplicationName("fxscope");
    QApplication::setOrganizationName("fxscope");
    QApplication::setApplicationVersion(FXSCOPE_VERSION);
    QApplication::setApplicationDisplayName("fxscope");
    QCommandLineParser parser;
    parser.setApplicationDescription("See PyTorch FX graphs, step through them, change them, export them.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("MODEL", fx::qt(fx::formatNames()), "[MODEL]");
    parser.process(application);

    fx::Theme theme(application);
    theme.choose(static_cast<fx::Theme::Choice>(fx::Settings::theme()));
    fx::MainWindow window(theme, QDir(QApplication::applicationDirPath()).filePath("../samples"));
    window.QWidget::show();
    window.prepare();
    window.offerRecovery();
    if (!parser.positionalArguments().isEmpty())
        window.openFile(parser.positionalArguments().first());
    return QApplication::exec();
}
