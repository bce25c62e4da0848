# SPDX-License-Identifier: GPL-3.0-or-later
# Python's importlib.metadata: the versions of torch and numpy; other packages are not found.

from _refusal import refused_names

globals().update(refused_names("importlib.metadata", "a traced program reaches no files", "distributions files requires",
                           "Distribution DistributionFinder EntryPoint EntryPoints PackagePath Prepared"))
_VERSIONS = {"torch": "2.13.0", "numpy": "2.4.6"}


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.name}"

    @property
    def name(self):
        return self.args[0]


def version(distribution_name):
    if not distribution_name:
        raise ValueError("A distribution name is required.")
    plain = distribution_name.lower().replace("_", "-")
    if plain not in _VERSIONS:
        raise PackageNotFoundError(distribution_name)
    return _VERSIONS[plain]


def metadata(distribution_name):
    return {"Name": distribution_name, "Version": version(distribution_name)}


def distribution(distribution_name):
    version(distribution_name)
    raise NotImplementedError("not supported: importlib.metadata.distribution; a traced program reaches no files")


def packages_distributions():
    return {name: [name] for name in _VERSIONS}


def entry_points(**params):
    return []
