// SPDX-License-Identifier: GPL-3.0-or-later
// What was searched for and found: lit on the canvas until it is put out, and walked one by one. It is no
// selection.
#pragma once

#include "core/interpret/debug_types.h"

#include <QObject>
#include <QString>

#include <vector>

namespace fx::ui {

class GraphDocument;

/// A node, or a scope of a graph: then `node` has no node.
struct Match {
    NodeRef node;
    QString scope;
    bool operator==(const Match&) const = default;
};

class Matches : public QObject {
    Q_OBJECT

public:
    explicit Matches(const GraphDocument& document, QObject* parent = nullptr);

    /// `all` in the order in which they are walked.
    void set(const QString& text, std::vector<Match> all);
    void clear() { set({}, {}); }
    /// Lit no more, until one walks on.
    void putOut();
    bool isLit() const { return m_isLit && !m_all.empty(); }
    const QString& text() const { return m_text; }
    const std::vector<Match>& all() const { return m_all; }
    /// Walking goes on from there.
    void goTo(const Match& match);
    /// The next one, or with -1 the one before; behind the last comes the first. There must be one.
    const Match& step(int by);
    /// "3 of 17"; empty where the walk has not begun.
    QString place() const;

Q_SIGNALS:
    void changed();

private:
    QString m_text;
    std::vector<Match> m_all;
    int m_at = -1;
    bool m_isLit = false;
};

} // namespace fx::ui
