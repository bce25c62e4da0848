// SPDX-License-Identifier: GPL-3.0-or-later
// Damage for Python sources: to bytes, to words and to lines, so that much of it still parses.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Adds the file to the samples: of a .py file the programs that begin with "# --- NAME", else the whole, of
/// a .txt file the snippets between lines of "----".
void addTextSamples(const std::string& path, std::vector<std::string>& samples);

class TextMutator {
public:
    /// `samples` are sound sources; parts of one also turn up in another. `words` are put in beside those
    /// that bear on the syntax.
    TextMutator(std::vector<std::string> samples, uint64_t seed, std::vector<std::string> words = {})
        : m_samples(std::move(samples)), m_words(std::move(words)), m_random(seed) {}
    size_t below(size_t count) { return count == 0 ? 0 : m_random() % count; }
    /// One of the samples, damaged once or a few times.
    std::string next();

private:
    void damage(std::string& text);
    void damageBytes(std::string& text);
    void damageWords(std::string& text);
    void damageLines(std::string& text);
    void nest(std::string& text);
    std::string_view anyWord();
    const std::string& anySample() { return m_samples[below(m_samples.size())]; }

    std::vector<std::string> m_samples, m_words;
    std::mt19937_64 m_random;
};

} // namespace fx
