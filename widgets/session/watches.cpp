// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/watches.h"

#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx {

namespace {

/// "tensor(0.25)" is 0.25 and "torch.Size([2])" is [2] to somebody who looks at many values; of a large
/// tensor, what it is comes before its first elements.
QString inOneLine(const Answer& answer) {
    QString text = qt(answer.text).simplified();
    for (const QString& wrapper : {QString("tensor("), QString("torch.Size(")}) {
        const bool isWrapped = text.startsWith(wrapper) && text.endsWith(')');
        const QString inside =
            isWrapped ? text.mid(wrapper.size(), text.size() - wrapper.size() - 1) : QString();
        const bool isPlain = wrapper == "tensor(" ? !inside.contains(',') && !inside.contains('[') : true;
        if (isWrapped && isPlain)
            return inside;
    }
    if (answer.value && std::holds_alternative<TensorMeta>(answer.value->value))
        return qt(valueMetaText(*answer.value)) + "  " + text;
    return text;
}

} // namespace

Watches::Watches(DebugService& debug, QObject* parent) : QObject(parent), m_debug(debug) {
    connect(&debug, &DebugService::watchesChanged, this, &Watches::follow);
    connect(&debug, &DebugService::evaluated, this, &Watches::take);
    connect(&debug, &DebugService::valueReplaced, this, [this] { evaluate(false); });
    connect(&debug, &DebugService::stateChanged, this, [this] {
        if (m_debug.state() != DebugService::State::Running)
            evaluate(true);
    });
    follow();
}

QStringList Watches::expressions() const {
    QStringList out;
    for (const Watch& watch : m_watches)
        out << watch.expression;
    return out;
}

void Watches::add(const QString& expression) {
    const QString text = expression.trimmed();
    if (!text.isEmpty() && !expressions().contains(text))
        m_debug.setWatches(expressions() << text);
}

void Watches::change(int index, const QString& expression) {
    QStringList all = expressions();
    const QString text = expression.trimmed();
    if (index < 0 || index >= all.size() || all[index] == text)
        return;
    if (text.isEmpty() || all.contains(text))
        all.removeAt(index);
    else
        all[index] = text;
    m_debug.setWatches(all);
}

/// Takes the list as it is now; what is known of an expression that was there stays.
void Watches::follow() {
    std::vector<Watch> fresh;
    for (const QString& expression : m_debug.watches()) {
        const auto known = std::find_if(m_watches.begin(), m_watches.end(),
                                        [&](const Watch& watch) { return watch.expression == expression; });
        Watch watch;
        watch.expression = expression;
        fresh.push_back(known != m_watches.end() ? *known : watch);
        if (known == m_watches.end())
            fresh.back().request = m_debug.evaluate(expression);
    }
    m_watches = std::move(fresh);
    Q_EMIT changed();
}

void Watches::evaluate(bool isNewStop) {
    const bool isIdle = m_debug.state() == DebugService::State::Idle;
    for (Watch& watch : m_watches) {
        watch.request = m_debug.evaluate(watch.expression);
        if (isNewStop)
            watch.isChanged = false;
        if (isIdle)
            watch = {watch.expression};
    }
    Q_EMIT changed();
}

void Watches::take(const Answer& answer) {
    for (Watch& watch : m_watches) {
        if (watch.request != answer.request)
            continue;
        const QString text = qt(answer.text);
        const bool isOther = text != watch.text && !watch.text.isEmpty() && !watch.isFault;
        if (isOther && !answer.isError) {
            watch.isChanged = true;
            watch.previous = watch.text;
        }
        watch.text = text;
        watch.isFault = answer.isError;
        watch.value = answer.isError ? text.section('\n', 0, 0) : inOneLine(answer);
        Q_EMIT changed();
    }
}

} // namespace fx
