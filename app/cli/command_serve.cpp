// SPDX-License-Identifier: GPL-3.0-or-later
// serve: models of this machine for a debugger on another one.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/process/token_file.h"
#include "core/session/serve.h"

#include <csignal>
#include <iostream>

namespace fx::cli {

namespace {

RemoteServer* servingNow = nullptr;

struct ServeCommandLine {
    std::string listen = ServeOptions().listen, tokenFile;
    int64_t keepMinutes = std::chrono::duration_cast<std::chrono::minutes>(ServeOptions().keep).count();

    void operator()() const {
        ServeOptions options;
        options.listen = listen;
        options.token = tokenFile.empty() ? freshToken() : tokenIn(tokenFile);
        options.keep = std::chrono::minutes(keepMinutes);
        const std::string token = options.token;
        RemoteServer server(std::move(options));
        if (server.socket().isOpenToOthers())
            std::cerr << "warning: " << server.socket().address()
                      << " can be reached from other machines, and what is said there is not encrypted: "
                         "whoever listens in on "
                         "the network learns the token, and with it can run code here as you; 127.0.0.1 with "
                         "ssh -L is safe\n";
        std::cout << "listening at " << server.socket().address() << ", token "
                  << (tokenFile.empty() ? token : "in " + tokenFile) << std::endl;
        servingNow = &server;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            std::signal(signal, [](int) { servingNow->stop(); });
        server.serve();
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            std::signal(signal, SIG_DFL);
    }
};

} // namespace

void addServe(CLI::App& app) {
    auto command = std::make_shared<ServeCommandLine>();
    CLI::App* parser = app.add_subcommand("serve", "let a debugger on another machine run models here");
    parser
        ->add_option("--listen", command->listen,
                     "where: a port of this machine, or a socket in the file system; port 0: a free one")
        ->type_name("127.0.0.1:PORT|unix:PATH")
        ->capture_default_str();
    parser
        ->add_option("--token-file", command->tokenFile,
                     "a file with the token that a client must know; made with a fresh one where it is not "
                     "there. Without it one is "
                     "printed")
        ->type_name("FILE");
    parser
        ->add_option("--keep", command->keepMinutes,
                     "minutes for which a session waits for a client that was lost")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    parser->footer(
        "Examples:\n"
        "  fxscope serve --listen 127.0.0.1:9000 --token-file token     # on the machine with the models\n"
        "  ssh -L 9000:127.0.0.1:9000 gpu-box                           # on yours, and then:\n"
        "  fxscope debug /data/model.pt2 --connect 127.0.0.1:9000 --token-file token");
    parser->callback([command] { (*command)(); });
}

} // namespace fx::cli
