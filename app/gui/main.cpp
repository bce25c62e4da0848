// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the desktop program: fxscope-gui [--connect HOST:PORT] [MODEL...].
#include "app/gui/main_window.h"
#include "core/open/formats.h"
#include "core/plugins/plugin_host.h"
#include "widgets/session/document_host.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>

#include <csignal>
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

/// What of another machine is wanted. The words are those of `fxscope debug`.
class RemoteOptionsHere {
public:
    explicit RemoteOptionsHere(QCommandLineParser& parser) : m_parser(parser) {
        for (const QCommandLineOption& option : {m_connect, m_tokenFile, m_session, m_upload})
            parser.addOption(option);
    }

    bool isWanted() const { return m_parser.isSet(m_connect); }
    /// Throws an Error for options that do not go together, and where the file with the token cannot be read.
    fx::RemoteRequest request(const QString& model) const {
        for (const QCommandLineOption& option : {m_tokenFile, m_session, m_upload})
            if (m_parser.isSet(option) && !isWanted())
                throw fx::Error(fx::ui::utf8("--" + option.names().first()), "needs --connect");
        if (m_parser.isSet(m_session) && (!model.isEmpty() || m_parser.isSet(m_upload)))
            throw fx::Error("--session", "has a model already").hint("name none, and upload none");
        fx::RemoteRequest out;
        out.address = fx::ui::utf8(m_parser.value(m_connect));
        if (isWanted())
            out.token = fx::givenToken(fx::ui::utf8(m_parser.value(m_tokenFile))).value_or("");
        out.session = fx::ui::utf8(m_parser.value(m_session));
        out.model.path = fx::ui::utf8(model);
        out.isUploaded = m_parser.isSet(m_upload);
        return out;
    }

private:
    QCommandLineParser& m_parser;
    const QCommandLineOption m_connect{
        "connect", "Open MODEL on another machine, where fxscope serve listens.", "HOST:PORT"};
    const QCommandLineOption m_tokenFile{
        "token-file", "With --connect: a file with its token, instead of FXSCOPE_TOKEN.", "FILE"};
    const QCommandLineOption m_session{
        "session", "With --connect: come back to a session, and find its run where it is.", "SESSION"};
    const QCommandLineOption m_upload{"upload", "With --connect: MODEL is a file here, and sent there."};
};

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a line for a terminal that is gone
    std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit of file sizes fails, as on a full disk
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
    parser.addPositionalArgument("MODEL", fx::ui::qt(fx::formatNames()), "[MODEL...]");
    const RemoteOptionsHere remote(parser);
    parser.process(application);
    const QStringList models = parser.positionalArguments();
    fx::RemoteRequest request;
    try {
        if (remote.isWanted() && models.size() > 1)
            throw fx::Error("--connect", "opens one model");
        request = remote.request(models.value(0));
    } catch (const fx::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }

    fx::ui::Settings::takeOver();
    fx::ui::DocumentHost::setReady(true);
    fx::ui::Theme theme(application);
    theme.choose(static_cast<fx::ui::Theme::Choice>(fx::ui::Settings::theme()));
    fx::ui::MainWindow window(theme, QDir(QApplication::applicationDirPath()).filePath("../samples"));
    window.QWidget::show();
    window.prepare();
    window.offerRecovery();
    if (remote.isWanted())
        window.connectToHost(request);
    else
        window.openFiles(models);
    return QApplication::exec();
}
