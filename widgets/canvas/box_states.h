// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to say of each box beyond its text: selected, about to run, executed, faulty. Gathered anew
// after news.
#pragma once

#include "core/analyze/cost_table.h"
#include "core/compare/change_graph.h"
#include "core/ir/meta.h"
#include "core/module/node_marks.h"
#include "core/torch/bind/call_family.h"
#include "core/torch/values/statistics.h"
#include "widgets/style/tokens.h"

#include <QStringList>

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fx::ui {

class DebugService;
class GraphDocument;
class Selection;
class SizesService;
struct Picture;

struct BoxState {
    bool isSelected = false;
    bool isNeighbour = false;   ///< an input or a user of the selected node
    bool isCurrent = false;     ///< it, or a node in it, is about to run
    bool hasRun = false;        ///< of a scope: all of it
    bool isAwaited = false;     ///< a run has begun and has not come here
    bool isMuted = false;       ///< who reads it gets its input instead
    bool isGhost = false;       ///< another graph has it, this one has not
    bool isStale = false;       ///< its value is of before an edit
    bool isMatch = false;       ///< of the last search, or one is in it
    bool hasBreakpoint = false; ///< of a scope: on a node in it
    bool isMask = false; ///< its Inf is one on purpose (core/interpret/non_finite.h), and not in `health`
    Health health;
    double milliseconds = 0;
    double heat = 0; ///< its share of what the costliest box takes, if boxes are coloured by that
    int group = -1;  ///< which of BoxStates::groups(), if boxes are coloured by that
    NodeMark mark;   ///< what a user has put there
    QString note;    ///< what its colour means, in a word or two
    QString value;   ///< live shape and dtype
    QString setTo;   ///< the expression that a user has put in place of the value
    QString fault;   ///< of lint, or of the run that ended here
};

/// What the colour of boxes says.
enum class Colouring {
    Family,     ///< what kind of work the call does
    Kind,       ///< which opcode
    Flops,      ///< as BoxStates::setCosts() was told
    Bytes,      ///< the same, read and written
    Memory,     ///< the same, of values that are there at once
    Predicted,  ///< the same: the time on a device
    Bound,      ///< the same: what the device waits for, the stronger the longer it takes
    Time,       ///< of the run
    Health,     ///< what the values of the run hold: NaN, Inf, large numbers, nothing but zero
    Dtype,      ///< of the tensors, as the run gave them or as is recorded
    Device,     ///< the same
    Part,       ///< the part that the node is to go into (core/passes/split/hand_parts.h)
    Difference, ///< how far values are from another run's, as BoxStates::setDifferences() was told
    Change,     ///< what is another than in another graph, as BoxStates::setChanges() was told
};

/// What boxes of one colour have in common.
struct BoxGroup {
    QString name;
    QColor Tokens::*hue = nullptr; ///< null: the colour of its family, or of its number, Tokens::series()
    std::optional<CallFamily> family = std::nullopt;
};

QColor hueOf(const std::vector<BoxGroup>& groups, size_t number, const Tokens& tokens);

/// What a comparison has found for a node.
struct NodeDifference {
    double heat = 0; ///< from 0, equal, to 1
    QString note;    ///< "needs 1e-3", "only here"
};
using NodeDifferences = std::unordered_map<NodeId, NodeDifference>;
using NodeChanges = std::map<NodeId, NodeChange>;

class BoxStates {
public:
    /// `debug`: null where the model is looked at alone, and never runs.
    BoxStates(const GraphDocument& document, const Selection& selection, const DebugService* debug)
        : m_document(document), m_selection(selection), m_debug(debug) {}

    void forget() { m_picture = nullptr; }
    void colourBy(Colouring colouring) {
        m_colouring = colouring;
        forget();
    }
    /// Formulas of sizes, for wires, and for boxes that no run has a value of.
    void setSizes(const SizesService& sizes) { m_sizes = &sizes; }
    /// Of nodes of the root graph, for the colourings by costs.
    void setCosts(NodeFigures costs) {
        m_costs = std::move(costs);
        forget();
    }
    /// Of nodes of the root graph, for the colouring by differences.
    void setDifferences(NodeDifferences differences) {
        m_differences = std::move(differences);
        forget();
    }
    /// Of nodes of the root graph, for the colouring by changes.
    void setChanges(NodeChanges changes) {
        m_changes = std::move(changes);
        forget();
    }
    bool hasDifferences() const { return !m_differences.empty(); }
    Colouring colouring() const { return m_colouring; }
    /// True where the colour depends on the call alone: it is a narrow bar then.
    bool isColouredByCall() const {
        return m_colouring == Colouring::Kind || m_colouring == Colouring::Family;
    }
    const BoxState& of(const Picture& picture, int box) const;
    /// Those that boxes of the picture are in, if boxes are coloured by groups.
    const std::vector<BoxGroup>& groups(const Picture& picture) const;
    /// The shape that flows there: as formulas, else of the run, else the recorded one; empty where none is
    /// known.
    const QString& wireLabel(const Picture& picture, int edge) const;
    /// Why what flows there is not what was declared; empty: it is, as far as is known.
    QString wireFault(const Picture& picture, int edge) const;

private:
    void gather(const Picture& picture) const;
    void gatherColours(const Picture& picture) const;
    void gatherHeat(const Picture& picture) const;
    void gatherCosts(const Picture& picture) const;
    void gatherDifferences(const Picture& picture) const;
    void gatherChanges(const Picture& picture) const;
    /// `several`: the group of boxes whose nodes are in more than one.
    void gatherGroups(const Picture& picture, const QString& several,
                      const std::function<QStringList(const Node&)>& groupsOf) const;
    void gatherFamilies(const Picture& picture) const;
    void gatherHealth() const;
    template <class Label>
    QStringList labelsOf(ModuleId module, const Node& node, const Label& label) const;
    int groupNumber(const BoxGroup& group) const;
    void gatherMatches(const Picture& picture) const;
    void gatherRun(const Picture& picture) const;
    void gatherSizes(const Picture& picture) const;
    void gatherStops(const Picture& picture) const;
    BoxState* at(const Picture& picture, NodeId node) const;

    const GraphDocument& m_document;
    const Selection& m_selection;
    const DebugService* m_debug;
    const SizesService* m_sizes = nullptr;
    Colouring m_colouring = Colouring::Family;
    NodeFigures m_costs;
    NodeDifferences m_differences;
    NodeChanges m_changes;
    mutable const Picture* m_picture = nullptr; ///< that m_states belong to; null: out of date
    mutable std::vector<BoxState> m_states;
    mutable std::vector<BoxGroup> m_groups;
    mutable std::vector<QString> m_wireLabels;
};

} // namespace fx::ui
