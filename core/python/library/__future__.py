# SPDX-License-Identifier: GPL-3.0-or-later
# Names of Python's __future__; what they switch on is always on, but for annotations, which the evaluator knows.

all_feature_names = ["nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function",
                     "unicode_literals", "barry_as_FLUFL", "generator_stop", "annotations"]
nested_scopes = generators = division = absolute_import = with_statement = print_function = None
unicode_literals = generator_stop = annotations = None
