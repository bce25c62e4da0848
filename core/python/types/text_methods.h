// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of str by groups, each in its file; those that search and split are bytes' too.
#pragma once

#include "core/python/types/support.h"

namespace fx {

void addStrType(Evaluator& evaluator);
void addBytesTypes(Evaluator& evaluator);

/// A str's or bytes' content, and the way back to a value of the same type.
const std::string& contentOf(const Value& self, bool isBytes);
Value sameKind(const Value& self, std::string content);
/// An argument that must be of self's type.
const std::string& contentArgument(const Value& value, bool isBytes);

void addSearchMethods(ClassData& type, bool isBytes);
void addSplitMethods(ClassData& type, bool isBytes);
void addPaddingMethods(ClassData& type, bool isBytes);
void addCaseMethods(ClassData& type);
void addClassMethods(ClassData& type);

/// The text that bytes stand for in that encoding; the other way round.
std::string decodedBytes(Evaluator& evaluator, const std::string& bytes, std::string encoding,
                         const std::string& errors);
std::string encodedText(Evaluator& evaluator, const std::string& text, std::string encoding,
                        const std::string& errors);

} // namespace fx
