// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the window: those of the registry, of users' files, patterns and recipes. Most passes need
// nothing of their own: a dialog of their options, if they have any, and the service.
#pragma once

#include "app/gui/window_context.h"
#include "core/passes/pass.h"
#include "widgets/panes/pass_dialog.h"
#include "widgets/support/job.h"

#include <QSet>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fx::ui {

class PassesController : public QObject {
public:
    explicit PassesController(const WindowContext& context);

    /// Does `work` in the place of the dialog, as a pass can say less than that.
    void replaceDialog(const std::string& pass, std::function<void()> work);
    /// Puts the passes into their menu, once it is there.
    void fillMenu();
    /// Runs a pass on the graph that is shown, after asking for its options.
    void run(const Pass& pass);
    /// Runs a pass of a Python file, the one of that name; without a name asks which, where it has several.
    void runOf(const QString& path, const QString& name = {});

private:
    void addPasses();
    void addOthers();
    void addChecks();
    /// Joins what is shown of the model that was opened.
    void follow();
    void followVerify();
    void followEditor();
    void askForFile();
    /// Lists what lies in the folders of passes now.
    void listFiles();
    void choose(const std::vector<Pass>& found);
    void tellFault(WorkspaceView& view, const QString& reason);
    PassDialog::Trial trialOf(const Pass& pass, ModuleId graph) const;
    void suggestModule(const Pass& pass, PassDialog& dialog) const;
    void openReplace(const QString& pattern);
    /// With a pattern of the selected nodes.
    void replaceLike();
    void saveRecipe();
    void applyRecipe();
    bool askAboutPython();
    void verifyLast();
    void verifyAfterPass(Workspace& workspace);
    void showFaults();

    const WindowContext m_context;
    std::map<std::string, std::function<void()>> m_instead; ///< of the dialog, by pass
    QMenu* m_more = nullptr;                                ///< passes of plugins
    bool m_verifiesEach = true;
    QString m_folder;           ///< where a pass was last read from
    QSet<QString> m_toldFaults; ///< of files in the folders of passes
    JobRunner m_reader;         ///< last: its thread uses what is above
};

} // namespace fx::ui
