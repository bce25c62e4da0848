// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fx {

/// Several callables as one, to visit a std::variant with.
template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>; // which clang 16 does not find by itself

} // namespace fx
