// SPDX-License-Identifier: GPL-3.0-or-later
// What an exported package may name. It is imported and run by Python itself, and the model may come from
// anywhere: so it names what our tables know to compute, and nothing that reads files, loads code, starts
// programs or reaches Python's insides (torch.load, torch.os.system, exec, x.__class__).
#pragma once

#include "core/module/model.h"

#include <string>
#include <string_view>

namespace fx {

/// A function, class or constant by its qualified name: "torch.relu", "torch.ops.mine.scale", "math.sqrt",
/// "len". Operators of others are allowed: what they do is up to who registers them.
bool isHarmlessName(const std::string& qualifiedName);
/// A method or attribute of a value.
bool isHarmlessAttribute(std::string_view name);
/// Throws an Error at `place` unless isHarmlessName().
void requireHarmless(const std::string& qualifiedName, const std::string& place);
void requireHarmlessAttribute(const std::string& name, const std::string& place);
/// A function that is no node's target but a value, or is called by one: nobody could check what getattr()
/// looks up there.
void requireHandedOn(const std::string& function, const std::string& place);
/// Throws an Error that names the node where it cannot be written, or must not. What its code names beside
/// torch is left to PackageNames::bind.
void requireHarmless(const Model& model, ModuleId module, const Node& node);

/// Throws an Error that names the node where torch.fx itself would write a name of it into code as it stands,
/// and that is none: a keyword, a method, a path with quotes in it. For what Python makes code of by itself.
void requirePlainNames(const Model& model, ModuleId module, const Node& node);

} // namespace fx
