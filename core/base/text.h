// SPDX-License-Identifier: GPL-3.0-or-later
// Small text functions that several folders need, and Python's way of writing numbers and strings.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

std::vector<std::string_view> split(std::string_view text, char separator);
/// Takes the part before the first separator off `rest`, and the separator with it. The last part leaves no
/// `rest`.
std::string_view takePart(std::optional<std::string_view>& rest, char separator);
std::string_view trim(std::string_view text);
bool contains(std::string_view text, std::string_view part);
/// "layer1.0" of "layer1.0.weight"; empty of "weight".
std::string_view parentPath(std::string_view path);
/// As a field of CSV: in quotes where RFC 4180 asks for it.
std::string csvQuoted(const std::string& text);
std::string replaceAll(std::string text, std::string_view what, std::string_view with);

template <class Range>
std::string join(const Range& parts, std::string_view separator) {
    std::string out;
    bool first = true;
    for (const auto& part : parts) {
        if (!first)
            out += separator;
        out += part;
        first = false;
    }
    return out;
}

/// Python's repr() of a str: single quotes unless only double quotes avoid escapes.
std::string pythonRepr(std::string_view utf8);
/// Python's repr() of a float: the shortest digits that read back, with its choice of exponent form.
std::string pythonFloat(double value);
/// Python's repr() of a complex.
std::string pythonComplex(std::complex<double> value);
/// str.isidentifier(); letters beyond ASCII are taken as allowed.
bool isIdentifier(std::string_view text);
/// A word that Python keeps for itself: "if", "None".
bool isKeyword(std::string_view text);

/// "1.5 GB", "320 B": for people, decimal units.
std::string byteText(uint64_t bytes);
/// "25.6 M", "9.4 K", "128": for people.
std::string countText(uint64_t count);
/// "1 node", "2 nodes".
std::string plural(uint64_t count, std::string_view noun);

} // namespace fx
