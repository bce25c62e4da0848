# SPDX-License-Identifier: GPL-3.0-or-later
# The ways in which net_min_base.py goes through the nodes of a model to find those that are at fault.
import logging

_LOGGER = logging.getLogger('torch.fx.passes.net_min_base')


class FxNetMinimizerBadModuleError(Exception):
    pass


class FxNetMinimizerRunFuncError(Exception):
    pass


class FxNetMinimizerResultMismatchError(Exception):
    pass


# They are known by the module that people import them from.
for _error in (FxNetMinimizerBadModuleError, FxNetMinimizerRunFuncError, FxNetMinimizerResultMismatchError):
    _error.__module__ = 'torch.fx.passes.net_min_base'

_FAULTS = (FxNetMinimizerRunFuncError, FxNetMinimizerResultMismatchError)
_HALVES = 'Proceed to split and lower the halves of the current sub-module individually.'


class _Traversals:
    def _new_report(self):
        report = []
        self.reports.append(report)
        self.iteration += 1
        return report

    def _try(self, nodes, output_names, report_idx=-1):
        split, name = self._build_submodule(nodes)
        self._run_and_compare(split, name, output_names, report_idx)

    def _all_excluded(self):
        self.reports.append(['All nodes are excluded by user'])

    def _sequential_traverse(self, nodes):
        # One node after the other.
        culprits = set()
        for node in nodes:
            report = self._new_report()
            report += [f'Sequential traverse iteration {self.iteration}.', f'Visit node: {node.name}']
            _LOGGER.info('Visit node: %s', node.name)
            if self.exclusion_fn is not None:
                left = [node]
                self.exclusion_fn(left, -1, -1)
                if len(left) == 0:
                    report.append(f'User exclusion : {node.name}')
                    self.print_report(report)
                    if self.settings.find_all:
                        continue
                    return culprits
            tried = self.fusions[node] if node in self.fusions else {node}
            try:
                self._try(tried, [node.name])
                self.print_report(report)
                continue
            except FxNetMinimizerResultMismatchError:
                culprits.add(node)
                report.append(f'Found culprit from numeric error: {node}')
            except FxNetMinimizerRunFuncError:
                culprits.update(tried)
                report.append(f'Found culprit from run error: {node}')
            self.print_report(report)
            if not self.settings.find_all:
                return culprits
        return culprits

    def _binary_traverse(self, nodes):
        return self._binary_search_impl(nodes, 0, len(nodes))

    def _binary_search_impl(self, all_nodes, start_idx, end_idx):
        # What is at fault as a whole is halved.
        nodes = all_nodes[start_idx:end_idx]
        if self.exclusion_fn is not None:
            self.exclusion_fn(nodes, start_idx, end_idx)
            if len(nodes) == 0:
                self._all_excluded()
                return set()
        first, last = nodes[0].name, nodes[-1].name
        report = self._new_report()
        report += [f'Binary search iteration {self.iteration}',
                   f'From node index {start_idx}:{first} to {end_idx - 1}:{last}. Size of the interested node list is {len(nodes)}']
        tried = set(nodes)
        try:
            self._try(tried, [last])
        except _FAULTS:
            if len(nodes) == 1:
                report.append('This is the last node in the sub-module. '
                              f'Search in the current branch is successful with culprit = {tried}.')
                self.print_report(report)
                return tried
            report.append(_HALVES)
            self.print_report(report)
            middle = start_idx + len(nodes) // 2
            culprits = self._binary_search_impl(all_nodes, start_idx, middle)
            if len(culprits) != 0 and not self.settings.find_all:
                return culprits
            culprits = self._binary_search_impl(all_nodes, middle, end_idx)
            if len(culprits) == 0:
                report.append('Further split and lowering found no errors. '
                              f'Unable to minimize the submodule with list of nodes: {nodes}')
                self.print_report(report)
            return culprits
        report.append('No discrepancy found.')
        self.print_report(report)
        return set()

    def _block_traverse_impl(self, nodes, start_idx, end_idx, find_last_node):
        # Looks for the border of the block that is at fault, among nodes[start_idx:end_idx + 1].
        middle = (start_idx + end_idx) // 2
        part = nodes[:middle + 1] if find_last_node else nodes[middle:]
        if self.exclusion_fn:
            self.exclusion_fn(part, -1, -1)
        first, last = part[0].name, part[-1].name
        which = 'last' if find_last_node else 'first'
        report = self._new_report()
        report += ['=' * 30, f'Block search iteration {self.iteration}', f'Search for {which} node in culprits',
                   f'From node index {start_idx}:{nodes[start_idx].name} to {end_idx}:{nodes[end_idx].name}. ',
                   f'Subgraph constructed by {first} to {last}', f'Targeting node: {last if find_last_node else first}',
                   f'Size of the interested node list is {end_idx - start_idx + 1}']
        alone = start_idx == middle == end_idx
        try:
            self._try(set(part), [last], len(self.reports) - 1)
            at_fault = False
        except _FAULTS:
            at_fault = True
        if at_fault:
            report.append(f'Culprits found from node {first} to {last}.')
            if alone:
                report += ['This is the last node in the sub-module. ', 'Search in the current branch is successful with node :',
                           f'{start_idx}, node name: {nodes[start_idx].name}.']
                self.print_report(report)
                return start_idx
        else:
            report.append(f'Culprits not found from node start to {middle}:{nodes[middle].name}.')
            if alone:
                if start_idx == (len(nodes) - 1 if find_last_node else 0):
                    report.append(f'At {which} node, no culprits found.')
                    self.print_report(report)
                    return None
                return start_idx + (1 if find_last_node else -1)
        report.append(_HALVES)
        self.print_report(report)
        if bool(find_last_node) == at_fault:
            return self._block_traverse_impl(nodes, start_idx, middle, find_last_node)
        return self._block_traverse_impl(nodes, middle + 1, end_idx, find_last_node)

    def _block_traverse(self, nodes, find_last_node):
        # First the end of the block, then its start; with find_last_node just one of them.
        report = [f'Block search from {nodes[0].name} to {nodes[-1].name}', '*' * 50]
        self.reports.append(report)
        start, end = 0, len(nodes) - 1

        def nothing():
            report.append('No culprits found')
            self.print_report(report)
            return set()

        last = end
        if find_last_node is None or find_last_node:
            report.append('Start searching for last node in culprit')
            self.print_report(report)
            last = self._block_traverse_impl(nodes, 0, end, True)
            if last is None:
                return nothing()
            report += ['Finish Pass 1', f'Find end_idx = {last}:{nodes[last].name}']
            self.print_report(report)
        if not find_last_node:
            first_report = ['Start searching for first node in culprit']
            self.print_report(first_report)
            start = self._block_traverse_impl(nodes[:end + 1], 0, last or end, False)
            if start is None:
                return nothing()
            first_report.append('*' * 50)
            self.reports.append(first_report)
            first_report += ['Finish Pass 2', f'Find start_idx = {start}:{nodes[start].name}']
            self.print_report(first_report)
        result = [f'Finish searching, found minimum block ({nodes[start]},{nodes[last]})']
        self.reports.append(result)
        self.print_report(result)
        return set(nodes[start:last + 1])

    def _defined_traverse(self, nodes):
        # All of the nodes at once.
        if self.exclusion_fn is not None:
            self.exclusion_fn(nodes, -1, -1)
        if len(nodes) == 0:
            self._all_excluded()
            return set()
        last = nodes[-1].name
        report = [f'Defined graph from {nodes[0].name} to {last}']
        tried = set(nodes)
        try:
            self._try(tried, [last])
        except _FAULTS:
            report.append(f'Found culprit {tried}')
        self.print_report(report)
        return set()

    def _accumulate_traverse(self, nodes):
        # One node more each time.
        if self.settings.find_all:
            print("'Find All' mode is not supported in accumulate traversal.")
            return set()
        tried = set()
        for node in nodes:
            report = self._new_report()
            report.append(f'Accumulate traverse iteration {self.iteration}.')
            tried.add(node)
            name = node.name[0] if isinstance(node.name, tuple) else node.name
            if not isinstance(name, str):
                raise AssertionError(f'minimize: node_name: {name}')
            report.append(f'Add node: {name}')
            try:
                self._try(tried, [name])
                self.print_report(report)
            except _FAULTS:
                report.append(f'Found culprit {node}')
                self.print_report(report)
                return {node}
        return set()

    def _skip_traverse_impl(self, all_nodes, start_idx, end_idx):
        nodes = all_nodes[start_idx:end_idx]
        tried = set(nodes)
        if self.exclusion_fn is not None:
            self.exclusion_fn(nodes, start_idx, end_idx)
            tried = set(nodes)
        else:
            tried.update(*(self.fusions[node] for node in nodes if node in self.fusions))
        report = self._new_report()
        report += [f' Nodes block {self.iteration}.',
                   f'From node index {start_idx} to {end_idx - 1}. Size of the interested node list is {len(nodes)}']
        culprits = tried
        try:
            self._try(tried, [])
            report.append('No discrepancy found.')
            culprits = set()
        except FxNetMinimizerResultMismatchError:
            report.append(f'Found culprit from numeric error: {tried}')
        except FxNetMinimizerRunFuncError:
            report.append(f'Found culprit from run error: {tried}')
        self.print_report(report)
        return culprits

    def _skip_traverse(self, all_nodes, skip_nodes):
        # The stretches between the nodes that are skipped.
        start = 0
        culprits = set()
        for i, node in enumerate(all_nodes):
            if node.name in skip_nodes:
                if i > start:
                    culprits = self._skip_traverse_impl(all_nodes, start, i)
                start = i + 1
            elif i == len(all_nodes) - 1:
                culprits = self._skip_traverse_impl(all_nodes, start, i + 1)
        return culprits
