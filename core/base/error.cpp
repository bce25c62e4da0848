// SPDX-License-Identifier: GPL-3.0-or-later
// Composes the text of an error from its parts.
#include "core/base/error.h"

#include "core/base/shown_text.h"

namespace fx {

Error::Error(std::string place, std::string message)
    : m_place(std::move(place)), m_message(std::move(message)) {
    compose();
}

Error&& Error::hint(std::string advice) && {
    m_advice = std::move(advice);
    compose();
    return std::move(*this);
}

Error&& Error::kind(std::string_view name) && {
    m_kind = name;
    compose();
    return std::move(*this);
}

Error&& Error::code(ErrorCode code) && {
    m_code = code;
    return std::move(*this);
}

std::string Error::explanation() const {
    return m_advice.empty() ? m_message : m_message + "; " + m_advice;
}

Error& Error::within(std::string_view outer) {
    m_place = m_place.empty() ? std::string(outer) : std::string(outer) + ": " + m_place;
    compose();
    return *this;
}

std::string wholeText(const Error& error) {
    const std::string kind =
        error.kind().empty() || error.message().empty() ? error.kind() : error.kind() + ": ";
    return (error.place().empty() ? "" : error.place() + ": ") + kind + error.explanation();
}

void Error::compose() {
    m_text = shownPart(m_place, kErrorLimits);
    if (!m_place.empty())
        m_text += ": ";
    if (!m_kind.empty())
        m_text += m_kind + (m_message.empty() ? "" : ": ");
    m_text += shownPart(briefFault(m_message), kErrorLimits);
    if (!m_advice.empty())
        m_text += "; " + shownPart(m_advice, kErrorLimits);
}

} // namespace fx
