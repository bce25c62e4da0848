// SPDX-License-Identifier: GPL-3.0-or-later
// What the sources of a package define at their top, read from their text alone: for packages that offer the
// names of hundreds of modules and import those one by one, by means that are not evaluated here.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

class DefinitionIndex {
public:
    /// Reads the sources below the folder, which are those of `package`.
    DefinitionIndex(const std::string& folder, const std::string& package);

    /// The module that defines a class or function of that name; empty where none does. Of several it is the
    /// one that offers it: its `__all__` has the name, and the `__init__.py` beside it imports from it. Empty
    /// where that is so for several, too, or for none.
    std::string moduleOf(const std::string& name) const;
    /// Classes that derive from torch.nn.Module and are made from a configuration alone, as expressions:
    /// "BertModel(BertConfig())". Only what is offered, as above.
    std::vector<std::string> configuredModels() const;

private:
    struct Definition {
        std::string module;
        bool isOffered = false;
        bool hasOwnInit = false;        ///< among what is read of a class
        std::string config;             ///< what `config` of the class, or of its __init__, is annotated with
        bool takesConfigAlone = false;  ///< __init__(self, config) with defaults for all else
        std::vector<std::string> bases; ///< their last names
    };
    /// `isImported`: by the `__init__.py` beside it.
    void read(const std::string& path, const std::string& module, bool isImported);
    const Definition* chosen(const std::string& name) const;
    /// Names of classes that a search has been at: bases may go round in a circle.
    using Seen = std::set<std::string>;
    bool isModel(const std::string& name, Seen& seen) const;
    /// What the class, or the next of its bases, says that `config` is.
    std::string configOf(const Definition& definition, Seen& seen) const;
    bool takesConfig(const Definition& definition, Seen& seen) const;

    std::unordered_map<std::string, std::vector<Definition>> m_definitions;
    std::vector<std::string> m_names; ///< in the order of modules and lines
};

} // namespace fx
