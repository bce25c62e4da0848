// SPDX-License-Identifier: GPL-3.0-or-later
// A server on this machine, and a small model for it.
#pragma once

#include "core/base/error.h"
#include "core/session/serve.h"

#include <QFile>
#include <QTemporaryDir>

#include <stdexcept>

namespace fx {

inline constexpr const char* kNet = R"(
import torch

class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, width)
        self.second = torch.nn.Linear(width, width)
        self.register_buffer('share', self.first.weight.detach()[:1])

    def forward(self, x):
        x = torch.relu(self.first(x))
        return self.second(x) + self.share
)";

/// A server and a folder with a model, on this machine.
class ServedNet {
public:
    explicit ServedNet(const std::function<void(ServeOptions&)>& change = {}) {
        ServeOptions options;
        options.token = "secret";
        options.worker.program = FXSCOPE_BUILD "/bin/fxscope-worker";
        if (change)
            change(options);
        server = std::make_unique<RemoteServer>(std::move(options));
        m_thread = std::thread([this] { server->serve(); });
        QFile file(m_folder.filePath("net.py"));
        if (!file.open(QIODevice::WriteOnly) || file.write(kNet) < 0)
            throw std::runtime_error("no file can be written");
    }
    ~ServedNet() {
        server->stop();
        m_thread.join();
    }

    const std::string& address() const { return server->socket().address(); }
    std::string folder() const { return m_folder.path().toStdString(); }
    OpeningRequest net(int width = 8) const {
        return {folder() + "/net.py:Net(" + std::to_string(width) + ")", {}, {}};
    }

    std::unique_ptr<RemoteServer> server;

private:
    QTemporaryDir m_folder;
    std::thread m_thread;
};

/// What the Error says that the work throws; empty: it throws none.
inline std::string faultOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

inline bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace fx
