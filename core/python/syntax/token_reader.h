// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a source one after another, and what happens where one does not fit.
#pragma once

#include "core/python/syntax/tokens.h"

namespace fx {

/// Thrown at a token that no rule of the grammar has a place for; faults.h finds the words.
struct Stumble {
    size_t token;
};

class TokenReader {
public:
    TokenReader(const SourceFile& file, const TokenizedSource& source) : m_file(file) { enter(source); }

protected:
    void enter(const TokenizedSource& source, size_t at = 0) {
        m_source = &source;
        goTo(at);
    }
    /// Throws the fault of the indentation that the tokens end with.
    void goTo(size_t at) {
        m_at = at;
        m_word = textOf(m_file, token());
        if (token().kind == Token::Kind::End && m_source->fault)
            throw Error(*m_source->fault);
    }
    void advance() {
        if (token().kind < Token::Kind::Newline)
            m_end = token().end;
        goTo(m_at + 1);
    }

    const Token& token() const { return m_source->tokens[m_at]; }
    std::string_view word() const { return m_word; }
    /// Of the token behind this one.
    std::string_view followingWord() const {
        return is(Token::Kind::End) ? std::string_view() : textOf(m_file, m_source->tokens[m_at + 1]);
    }
    uint32_t here() const { return token().begin; }
    /// Where the token before this one ended, ends of lines and blocks left out.
    uint32_t lastEnd() const { return m_end; }
    bool is(Token::Kind kind) const { return token().kind == kind; }
    bool is(std::string_view word) const { return m_word == word; }
    bool accept(std::string_view word) {
        if (!is(word))
            return false;
        advance();
        return true;
    }
    void expect(std::string_view word) {
        if (!accept(word))
            stumble();
    }
    void expect(Token::Kind kind) {
        if (!is(kind))
            stumble();
        advance();
    }

    [[noreturn]] void stumble() const { throw Stumble{m_at}; }
    [[noreturn]] void fail(uint32_t at, const std::string& message,
                           std::string_view kind = "SyntaxError") const {
        failAt(m_file, at, m_prefix + message, {}, kind);
    }

    const SourceFile& m_file;
    const TokenizedSource* m_source = nullptr;
    size_t m_at = 0;
    std::string m_prefix; ///< of the words of errors

private:
    std::string_view m_word; ///< of the token
    uint32_t m_end = 0;
};

} // namespace fx
