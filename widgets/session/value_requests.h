// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of the values of a run: to look at one, save it, replace it, or find its origin.
#pragma once

#include "core/run/run_controller.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace fx::ui {

class ValueRequests : public QObject {
    Q_OBJECT

public:
    explicit ValueRequests(RunController& run) : m_run(run) {}

    /// Answered by inspected(), for the newest request only. `isGradient`, `beside`: as in Inspect.
    void inspect(NodeRef node, const ValueView& view, bool isGradient = false,
                 const std::vector<NodeRef>& beside = {});
    /// Looks at a tensor of the model, which needs no run unless it is a gradient.
    void inspectTensor(TensorId tensor, const ValueView& view, bool isGradient = false);
    /// Saves the value of the node, or `tensor` of the model, or the gradient of either. Answered by
    /// answered().
    void save(NodeRef node, const QString& path, bool isGradient = false, TensorId tensor = {});
    /// Finds the node that first gave NaN or Inf, of those that the node's value comes from. Answered by
    /// originFound() and answered(). `trait`: what to look for instead, as the console's `why` takes it.
    /// `reference`: path of a saved run; finds the first value that differs from it. Empty: none.
    void findOrigin(NodeRef node, const QString& trait = {}, const QString& reference = {});
    /// Replaces a node's value by what the expression gives, until the run is started again. Answered by
    /// valueSet().
    void set(NodeRef node, const QString& expression);

    /// The run has paused, ended or begun: asks for the value that was wanted meanwhile.
    void follow();
    /// Another run has begun.
    void forget() { m_wanted.reset(); }

Q_SIGNALS:
    void inspected(const fx::Inspection& inspection);
    /// What came of save() or findOrigin(); `text` can have several lines.
    void answered(const QString& text, bool isError);
    void originFound(const fx::Answer& answer);
    void valueSet(fx::NodeRef node, const QString& text, bool isError);

private:
    void want(Inspect inspect);
    void askForWanted();

    RunController& m_run;
    int m_inspection = 0;            ///< number of the inspections wanted so far
    std::optional<Inspect> m_wanted; ///< not asked for yet
};

} // namespace fx::ui
