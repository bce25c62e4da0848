# SPDX-License-Identifier: GPL-3.0-or-later
# What each input and output of an exported graph stands for.
import dataclasses
from enum import Enum, auto


@dataclasses.dataclass
class TensorArgument:
    name: str


@dataclasses.dataclass
class TokenArgument:
    name: str


@dataclasses.dataclass
class SymIntArgument:
    name: str


@dataclasses.dataclass
class SymFloatArgument:
    name: str


@dataclasses.dataclass
class SymBoolArgument:
    name: str


@dataclasses.dataclass
class CustomObjArgument:
    name: str
    class_fqn: str
    fake_val: object = None


@dataclasses.dataclass
class ConstantArgument:
    name: str
    value: object


_NAMED = (TensorArgument, TokenArgument, SymIntArgument, SymFloatArgument, SymBoolArgument, CustomObjArgument)


def _shown(spec):
    target = '' if spec.target is None else f" target='{spec.target}'"
    return f'{spec.arg.name}: {spec.kind.name}{target}'


class InputKind(Enum):
    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()
    CUSTOM_OBJ = auto()
    TOKEN = auto()


@dataclasses.dataclass
class InputSpec:
    kind: InputKind
    arg: object
    target: object
    persistent: object = None

    def __post_init__(self):
        if self.kind == InputKind.BUFFER and self.persistent is None:
            raise AssertionError('Failed to specify persistent flag on BUFFER.')
        if not isinstance(self.arg, _NAMED + (ConstantArgument,)):
            raise AssertionError(f'expected valid arg type, got {type(self.arg)}')

    def __str__(self):
        return _shown(self) + ('' if self.persistent is None else f' persistent={self.persistent}')


class OutputKind(Enum):
    USER_OUTPUT = auto()
    LOSS_OUTPUT = auto()
    BUFFER_MUTATION = auto()
    PARAMETER_MUTATION = auto()
    GRADIENT_TO_PARAMETER = auto()
    GRADIENT_TO_USER_INPUT = auto()
    USER_INPUT_MUTATION = auto()
    TOKEN = auto()


@dataclasses.dataclass
class OutputSpec:
    kind: OutputKind
    arg: object
    target: object

    def __post_init__(self):
        if not isinstance(self.arg, _NAMED + (ConstantArgument,)):
            raise AssertionError(f'expected valid arg type, got {self.arg}')

    def __str__(self):
        return _shown(self)


@dataclasses.dataclass
class ExportBackwardSignature:
    gradients_to_parameters: dict
    gradients_to_user_inputs: dict
    loss_output: str


@dataclasses.dataclass
class ExportGraphSignature:
    input_specs: list
    output_specs: list

    def _inputs(self, kind):
        return [spec for spec in self.input_specs if spec.kind == kind and isinstance(spec.target, str)]

    def _outputs(self, kind):
        return {spec.arg.name: spec.target for spec in self.output_specs if spec.kind == kind}

    def _values(self, specs, kind):
        # Of a constant its value, of anything else its name.
        return tuple(spec.arg.value if isinstance(spec.arg, ConstantArgument) else spec.arg.name
                     for spec in specs if spec.kind == kind)

    @property
    def parameters(self):
        return tuple(spec.target for spec in self._inputs(InputKind.PARAMETER))

    @property
    def buffers(self):
        return tuple(spec.target for spec in self._inputs(InputKind.BUFFER))

    @property
    def non_persistent_buffers(self):
        return tuple(spec.target for spec in self._inputs(InputKind.BUFFER) if spec.persistent is False)

    @property
    def lifted_tensor_constants(self):
        return tuple(spec.target for spec in self._inputs(InputKind.CONSTANT_TENSOR))

    @property
    def lifted_custom_objs(self):
        return tuple(spec.target for spec in self._inputs(InputKind.CUSTOM_OBJ))

    @property
    def user_inputs(self):
        return self._values(self.input_specs, InputKind.USER_INPUT)

    @property
    def user_outputs(self):
        kinds = OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT
        return tuple(value for spec in self.output_specs if spec.kind in kinds for value in self._values([spec], spec.kind))

    @property
    def inputs_to_parameters(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.PARAMETER)}

    @property
    def inputs_to_buffers(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.BUFFER)}

    @property
    def inputs_to_lifted_tensor_constants(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.CONSTANT_TENSOR)}

    @property
    def inputs_to_lifted_custom_objs(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.CUSTOM_OBJ)}

    @property
    def buffers_to_mutate(self):
        return self._outputs(OutputKind.BUFFER_MUTATION)

    @property
    def parameters_to_mutate(self):
        return self._outputs(OutputKind.PARAMETER_MUTATION)

    @property
    def user_inputs_to_mutate(self):
        return self._outputs(OutputKind.USER_INPUT_MUTATION)

    @property
    def backward_signature(self):
        losses = [spec.arg.name for spec in self.output_specs if spec.kind == OutputKind.LOSS_OUTPUT]
        if not losses:
            return None
        return ExportBackwardSignature(self._outputs(OutputKind.GRADIENT_TO_PARAMETER),
                                       self._outputs(OutputKind.GRADIENT_TO_USER_INPUT), losses[-1])

    @property
    def assertion_dep_token(self):
        return None

    @property
    def input_tokens(self):
        return tuple(spec.arg.name for spec in self.input_specs if spec.kind == InputKind.TOKEN)

    @property
    def output_tokens(self):
        return tuple(spec.arg.name for spec in self.output_specs if spec.kind == OutputKind.TOKEN)

    def replace_all_uses(self, old, new):
        if not isinstance(old, str):
            raise AssertionError(f'expected old to be str, got {type(old)}')
        if not isinstance(new, str):
            raise AssertionError(f'expected new to be str, got {type(new)}')
        for spec in self.output_specs + self.input_specs:
            if isinstance(spec.arg, _NAMED) and spec.arg.name == old:
                spec.arg.name = new

    def get_replace_hook(self, replace_inputs=False):
        def told(old, new, user):
            if user.op == 'output' or (replace_inputs and old.op == 'placeholder'):
                self.replace_all_uses(old.name, new)

        return told

    def __str__(self):
        def lines(specs):
            return '\n'.join(str(spec) for spec in specs)

        return f'\n# inputs\n{lines(self.input_specs)}\n\n# outputs\n{lines(self.output_specs)}\n'
