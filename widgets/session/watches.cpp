// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/watches.h"

#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

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
    connect(&debug, &DebugService::valueReplaced, this, [this] { evaluate(false); });
    connect(&debug, &DebugService::stateChanged, this, [this] {
        if (m_debug.state() != DebugService::State::Running)
            evaluate(true);
    });
    set(debug.inputs().memory().watches);
    debug.console().shareDisplays([this] { follow(); });
}

void Watches::set(const QStringList& expressions) {
    std::vector<std::string> displays;
    for (const QString& each : expressions)
        displays.push_back(utf8(each));
    m_debug.console().setDisplays(displays);
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
        set(expressions() << text);
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
    set(all);
}

/// Takes the list as it is now; what is known of an expression that was there stays.
void Watches::follow() {
    std::vector<Watch> fresh;
    for (const std::string& display : m_debug.console().displays()) {
        const QString expression = wholeQt(display);
        const auto known = std::find_if(m_watches.begin(), m_watches.end(),
                                        [&](const Watch& watch) { return watch.expression == expression; });
        Watch watch;
        watch.expression = expression;
        fresh.push_back(known != m_watches.end() ? *known : watch);
        if (known == m_watches.end())
            fresh.back().request = ask(expression);
    }
    m_watches = std::move(fresh);
    m_debug.inputs().setWatches(expressions());
    Q_EMIT changed();
}

void Watches::evaluate(bool isNewStop) {
    const bool isIdle = m_debug.state() == DebugService::State::Idle;
    for (Watch& watch : m_watches) {
        watch.request = ask(watch.expression);
        if (isNewStop)
            watch.isChanged = false;
        if (isIdle)
            watch = {watch.expression};
    }
    Q_EMIT changed();
}

/// Returns the number of the request; 0 while there are no values.
int Watches::ask(const QString& expression) {
    const RunState& state = m_debug.run().state();
    if (!state.isPaused() && !state.isOver())
        return 0;
    return m_debug.run().ask(Evaluate{0, utf8(expression)}, [this](const Answer& answer) { take(answer); });
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

} // namespace fx::ui
