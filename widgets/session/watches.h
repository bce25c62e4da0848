// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions that are evaluated whenever a run stands still, with what they gave the time before. The
// session's thread evaluates them; here is what is known of the answers.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

namespace fx {

struct Answer;

} // namespace fx

namespace fx::ui {

class DebugService;

struct Watch {
    QString expression;
    QString value = {};    ///< in one line; empty: not evaluated yet
    QString text = {};     ///< as Python shows it, or the reason of the fault
    QString previous = {}; ///< the text at the stop before, if it was another one
    bool isFault = false;
    bool isChanged = false; ///< since the stop before
    int request = 0;
};

class Watches : public QObject {
    Q_OBJECT

public:
    explicit Watches(DebugService& debug, QObject* parent = nullptr);

    const std::vector<Watch>& all() const { return m_watches; }
    QStringList expressions() const;
    void set(const QStringList& expressions);
    void add(const QString& expression);
    /// An empty expression removes it.
    void change(int index, const QString& expression);
    void remove(int index) { change(index, {}); }

Q_SIGNALS:
    void changed();

private:
    void follow();
    void evaluate(bool isNewStop);
    int ask(const QString& expression);
    void take(const Answer& answer);

    DebugService& m_debug;
    std::vector<Watch> m_watches;
};

} // namespace fx::ui
