# SPDX-License-Identifier: GPL-3.0-or-later
# Pruning is training's business: every name is here, and says so when it is used.


def _refuse(name):
    def refused(*args, **kwargs):
        raise NotImplementedError(f'not supported: torch.nn.utils.prune.{name}; prune the model in your own Python, call '
                                  'prune.remove, and save its state_dict')

    refused.__name__ = name
    return refused


identity = _refuse('identity')
random_unstructured = _refuse('random_unstructured')
l1_unstructured = _refuse('l1_unstructured')
random_structured = _refuse('random_structured')
ln_structured = _refuse('ln_structured')
global_unstructured = _refuse('global_unstructured')
custom_from_mask = _refuse('custom_from_mask')
remove = _refuse('remove')


def is_pruned(module):
    return False
