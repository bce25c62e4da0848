// SPDX-License-Identifier: GPL-3.0-or-later
// Names that come from outside, as Python text: bare where they are names, inside a string literal where they
// are not. Nothing else in core/codegen and core/export puts a foreign name into code.
#pragma once

#include "core/ir/argument.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Whether code may hold the text as a name that means just this text to Python: no keyword, nothing that
/// Python would read as another name (it takes "ｅxec" for exec). Letters of Latin, Greek, Cyrillic and of
/// East Asia may be bare; those of other scripts are quoted, though Python would take them.
bool isWrittenBare(std::string_view name);
/// "a.b.c" of such names.
bool isBarePath(std::string_view path);
/// A string literal in double quotes, as torch.fx writes paths.
std::string doubleQuoted(std::string_view text);

/// Follows a path from the object whose expression `out` holds from `start` on: ".a.b"; parts that cannot
/// stand so become getattr(..., "0").
void appendPath(std::string& out, size_t start, std::string_view path);
/// "self.layer1.conv" of "self" and "layer1.conv".
std::string pathExpression(std::string_view base, std::string_view path);
/// The attribute of that very name: a dot in it separates nothing.
std::string attributeExpression(std::string base, std::string_view name);
/// An expression for "torch.nn.functional.relu".
std::string torchExpression(std::string_view name);
/// "key = value"; a key that is no name goes by a dict: **{'a b': value}.
void appendKeyword(std::string& out, std::string_view key, const std::string& value);
/// The name of a parameter such as "*args".
std::string_view withoutStars(std::string_view parameter);
/// Names for parameters, all different: those given, with what Python does not take in a name left out.
std::vector<std::string> parameterNames(const std::vector<std::string>& names);
/// Whether text that stands for an object is nothing but numbers, strings and brackets around them: only that
/// may be code.
bool isLiteralText(std::string_view text);

} // namespace fx
