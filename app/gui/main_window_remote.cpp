// SPDX-License-Identifier: GPL-3.0-or-later
// Models of other machines. They are documents as all others, but for what has to do with their file: that is
// the host's until they are saved here.
#include "app/gui/main_window.h"
#include "widgets/panes/connect_dialog.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

namespace fx {

void MainWindow::connectToHost(const RemoteRequest& request) {
    ConnectDialog dialog(request, m_theme.fixedFont(), this);
    if (!request.address.empty())
        dialog.begin();
    if (dialog.exec() != QDialog::Accepted)
        return;
    const std::shared_ptr<RemoteModel> there = dialog.opened();
    const auto model = std::make_shared<OpenedModel>(std::move(there->opened));
    model->notes.push_back("session " + there->host->session() +
                           "; edits are safe from a crash once the model is saved here");
    m_waiting.push_back([this, model, host = there->host] {
        m_recovering.reset();
        m_trace.reset();
        m_openingFor = emptyTab();
        showOpeningTab();
        show(model, host);
        openNextSoon();
    });
    openNext();
}

QStringList MainWindow::devices() const {
    const RemoteHost* host = m_workspace ? m_workspace->debug().place().host() : nullptr;
    QStringList out;
    if (host)
        for (const std::string& device : host->devices())
            out << qt(device);
    else
        out = m_service.devices();
    return out.isEmpty() ? QStringList{"cpu"} : out;
}

} // namespace fx
