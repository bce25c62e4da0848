// SPDX-License-Identifier: GPL-3.0-or-later
// An open model with the services around it, and the few rules that join them: what is selected when a run
// stops, what is remembered with the file.
#pragma once

#include "widgets/document/graph_document.h"
#include "widgets/session/code_service.h"
#include "widgets/session/cost_service.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/document_host.h"
#include "widgets/session/file_watch.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/pass_service.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/session/verify_service.h"
#include "widgets/session/watches.h"

#include <QObject>

#include <memory>

namespace fx::ui {

class Theme;

class Workspace : public QObject {
    Q_OBJECT

public:
    /// `host`: which has opened the model, if another machine has.
    Workspace(OpenedModel opened, const Theme& theme, std::shared_ptr<RemoteHost> host = nullptr);

    GraphDocument& document() { return m_document; }
    Selection& selection() { return m_selection; }
    CodeService& code() { return m_code; }
    LayoutService& layout() { return m_layout; }
    DebugService& debug() { return m_debug; }
    Watches& watches() { return m_watches; }
    PassService& passes() { return m_passes; }
    VerifyService& verify() { return m_verify; }
    CostService& costs() { return m_costs; }
    SizesService& sizes() { return m_sizes; }
    FileWatch& fileWatch() { return m_fileWatch; }

    /// The model as it is to be saved, with what the window adds to it.
    ModelSnapshot snapshot();
    /// A node that the next pass makes is selected, its last or its first; where it makes none, the selection
    /// stays.
    void selectWhatComes(ModuleId graph, bool isFirst);
    DocumentHost& host() { return m_host; }

private:
    void follow();

    GraphDocument m_document;
    DocumentHost m_host; ///< follows an edit before whoever asks it about the model
    Selection m_selection;
    CodeService m_code;
    LayoutService m_layout;
    DebugService m_debug;
    Watches m_watches;
    PassService m_passes;
    VerifyService m_verify;
    CostService m_costs;
    SizesService m_sizes;
    FileWatch m_fileWatch;
    NodeRef m_followed; ///< where the run stood when it was last followed
};

} // namespace fx::ui
