// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that trust their arguments cannot be made to read or write outside of their tensors
// (core/torch/bind/operator_bounds.h). What is allowed gives what PyTorch gives.
#include "core/base/error.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_bounds.h"
#include "core/torch/bind/operators.h"
#include "core/torch/host/torch_hosts.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::operator_bounds_test {

class OperatorBoundsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bindsEveryRule();
    void refuses_data();
    void refuses();
    void allows_data();
    void allows();
    void checksWithinOtherOperators();
    void leavesOrdinaryOperatorsAlone();

private:
    /// The output of a program, or its error in one line.
    static std::string run(const std::string& source) {
        TorchHosts torch;
        Evaluator evaluator{{.steps = 1'000'000'000}};
        torch.addTo(evaluator);
        try {
            guarded([&] {
                evaluator.modules().runModule(
                    parseSource("import torch\naten = torch.ops.aten\n" + source, "program.py"), "__main__");
            });
        } catch (const Error& error) {
            return error.explanation();
        }
        return evaluator.output();
    }
};

void OperatorBoundsTest::bindsEveryRule() {
    const std::vector<std::string> rules = unboundBoundsRules();
    QVERIFY2(rules.empty(), rules.empty() ? "" : rules[0].c_str());
}

void OperatorBoundsTest::refuses_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* name, const char* program, const char* words) {
        QTest::newRow(name) << QByteArray(program) << QByteArray(words);
    };
    // Views.
    row("reinterpret", "torch.ops.inductor._reinterpret_tensor(torch.ones(4), [64], [1], 1000)",
        "inductor::_reinterpret_tensor: a view of sizes [64], strides [1] and offset 1000 ends outside of "
        "the 16 "
        "bytes");
    row("reinterpret last element", "torch.ops.inductor._reinterpret_tensor(torch.ones(4), [4], [1], 1)",
        "ends outside");
    row("reinterpret overflow",
        "torch.ops.inductor._reinterpret_tensor(torch.ones(4), [8], [1], 2 ** 62 - 8)", "ends outside");
    row("reinterpret product",
        "torch.ops.inductor._reinterpret_tensor(torch.ones(4), [2 ** 32 + 1, 2], [2 ** 32, 1], 0)",
        "is too large");
    row("reinterpret negative", "torch.ops.inductor._reinterpret_tensor(torch.ones(4)[2:], [2], [1], -3)",
        "begins before the memory");
    row("reshape_alias stride", "aten._reshape_alias(torch.ones(4), [2], [-1])", "negative size or stride");
    row("reshape_alias", "aten._reshape_alias(torch.ones(4), [2, 4], [1, 1])", "ends outside");
    row("reshape_alias_copy", "aten._reshape_alias_copy(torch.ones(4), [64], [1])",
        "aten::_reshape_alias_copy");
    row("pool", "torch.ops.inductor._alloc_from_pool(torch.ones(4), 8, torch.float64, [2], [1])",
        "ends outside");
    row("pool offset", "torch.ops.inductor._alloc_from_pool(torch.ones(4), 2, torch.float32, [1], [1])",
        "no multiple");
    row("nested view",
        "aten._nested_view_from_buffer(torch.ones(4), torch.tensor([[8]]), torch.tensor([[1]]), "
        "torch.tensor([0]))",
        "is not run: it takes sizes and places in memory that nothing checks");
    // Indices.
    row("coo", "aten._sparse_coo_tensor_unsafe(torch.tensor([[0, 1 << 40]]), torch.ones(2), [4])",
        "'indices' holds 1099511627776, and axis 0 has size 4");
    row("coo values", "aten._sparse_coo_tensor_unsafe(torch.tensor([[0, 1]]), torch.ones(1), [4])",
        "do not fit");
    row("csr",
        "aten._sparse_csr_tensor_unsafe(torch.tensor([0, 1, 900]), torch.tensor([0, 1]), torch.ones(2), [2, "
        "2])",
        "crow_indices");
    row("coo to csr", "aten._convert_indices_from_coo_to_csr(torch.tensor([1000000000]), 4)", "'self' holds");
    row("csr to coo", "aten._convert_indices_from_csr_to_coo(torch.tensor([0, 5]), torch.tensor([0]))",
        "'crow_indices' holds 5");
    row("embedding_bag",
        "torch.nn.functional.embedding_bag(torch.tensor([1, 2, 3]), torch.ones(4, 2), "
        "torch.tensor([0, -1000, 2]))",
        "argument 'offsets' holds -1000");
    row("embedding backward",
        "aten.embedding_dense_backward(torch.ones(1, 2), torch.tensor([9]), 4, -1, False)",
        "'indices' holds 9, which is not from 0 to 3");
    row("ctc_loss", "torch.nn.functional.ctc_loss(torch.randn(5, 1, 4), torch.tensor([[9]]), (5,), (1,))",
        "'targets' holds 9, which is not from 0 to 3");
    row("ctc_loss of a batch",
        "torch.nn.functional.ctc_loss(torch.randn(5, 2, 4), torch.tensor([[1, 9], [2, 9]]), (5, 5), (1, 2))",
        "'targets' holds 9, which is not from 0 to 3");
    row("ctc_loss of joined targets",
        "torch.nn.functional.ctc_loss(torch.randn(5, 2, 4), torch.tensor([1, 2, -4]), (5, 5), (1, 2))",
        "'targets' holds -4, which is not from 0 to 3");
    row("ctc_loss backward",
        "aten._ctc_loss_backward(torch.ones(1), torch.randn(5, 1, 4), torch.tensor([[1, 9]]), [5], [2], "
        "torch.ones(1), torch.ones(1, 5, 5), 0, False)",
        "'targets' holds 9, which is not from 0 to 3");
    row("max_pool2d backward",
        "aten.max_pool2d_with_indices_backward(torch.ones(1, 1, 1), torch.ones(1, 2, 2), [2, 2], [2, 2], [0, "
        "0], "
        "[1, 1], False, torch.tensor([[[4]]]))",
        "'indices' holds 4, which is not from 0 to 3");
    row("nll_loss backward",
        "aten.nll_loss_backward(torch.ones(2), torch.zeros(2, 3), torch.tensor([0, -2]), None, 0, -100, "
        "torch.tensor(2.))",
        "'target' holds -2");
    row("ldl_solve",
        "torch.linalg.ldl_solve(torch.eye(2), torch.tensor([1, 9], dtype=torch.int32), torch.ones(2, 1))",
        "'pivots' holds 9");
    row("packed embedding",
        "torch.ops.quantized.embedding_bag_byte_rowwise_offsets(torch.zeros(4, 16, dtype=torch.uint8), "
        "torch.tensor([4]), torch.tensor([0]))",
        "'indices' holds 4");
    row("segment_reduce",
        "torch.segment_reduce(torch.ones(4), 'sum', lengths=torch.tensor([2, 200]), unsafe=True)",
        "'lengths' holds lengths of more than the 4 items");
    row("segment_reduce last axis",
        "torch.segment_reduce(torch.ones(2, 4), 'sum', lengths=torch.tensor([[2, 2], [1, 30]]), axis=-1, "
        "unsafe=True)",
        "'lengths' holds lengths of more than the 4 items");
    row("segment_reduce axis",
        "torch.segment_reduce(torch.ones(4), 'sum', lengths=torch.tensor([4]), axis=-2)",
        "'axis' is no axis of the data");
    row("pad_packed", "aten._pad_packed_sequence(torch.ones(3, 1), torch.tensor([2, -1]), False, 0., 2)",
        "'batch_sizes' holds -1");
    row("fft axis", "aten._fft_c2c(torch.ones(2, dtype=torch.complex64), [4611686018427387904], 0, True)",
        "'dim' holds axis 4611686018427387904");
    // Sizes that belong to each other.
    row("avg_pool2d backward",
        "aten.avg_pool2d_backward(torch.ones(1, 1, 1), torch.ones(1, 4, 4), [2, 2], [2, 2], [0, 0], False, "
        "True, None)",
        "'grad_output' has sizes [1, 1, 1], and the forward operator gives [1, 2, 2]");
    row("reflection backward", "aten.reflection_pad1d_backward(torch.ones(1, 3), torch.ones(1, 3), [1, 1])",
        "'grad_output' has sizes [1, 3] and not [1, 5]");
    row("batch_norm",
        "aten.native_batch_norm(torch.ones(2, 3), None, None, torch.ones(2), torch.ones(3), True, .1, .1)",
        "'running_mean' has 2 elements and not 3");
    row("unfold backward", "aten.unfold_backward(torch.ones(2, 2), [4], 0, 2, 1)",
        "'grad_in' has sizes [2, 2] and not [3, 2]");
    row("attention",
        "aten._scaled_dot_product_flash_attention_for_cpu(torch.ones(1, 1, 2, 4), torch.ones(1, 1, 3, 4), "
        "torch.ones(1, 1, 2, 4))",
        "'value' has sizes");
    row("lstm",
        "torch.lstm(torch.ones(4, 9, 5), [torch.ones(1, 3, 6)] * 2, [torch.ones(24, 5), torch.ones(24, 6), "
        "torch.ones(24), torch.ones(24)], True, 1, 0., False, False, False)",
        "");
    // Addresses.
    row("data_ptr", "torch.ones(1).data_ptr()",
        "torch.Tensor.data_ptr is not run: it gives an address in memory");
    row("caught", "try:\n    torch.ones(1).data_ptr()\nexcept Exception:\n    pass", "is not run");
    row("storage", "torch.ones(1).untyped_storage().data_ptr()", "torch.UntypedStorage.data_ptr is not run");
    row("unbound", "torch.Tensor.data_ptr(torch.ones(1))", "is not run");
    row("decomposed", "torch.ops.aten._remove_batch_dim.default(torch.ones(2), 1, 2, 0)", "is not run");
}

void OperatorBoundsTest::refuses() {
    QFETCH(const QByteArray, program);
    QFETCH(const QByteArray, words);
    const std::string said = run(program.toStdString() + '\n');
    QVERIFY2(!said.empty() && said.find(words.toStdString()) != std::string::npos, said.c_str());
}

void OperatorBoundsTest::allows_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("output");
    const auto row = [](const char* name, const char* program, const char* output) {
        QTest::newRow(name) << QByteArray(program) << QByteArray(output) + '\n';
    };
    row("reinterpret", "print(torch.ops.inductor._reinterpret_tensor(torch.arange(4.), [2, 2], [1, 2], 0))",
        "tensor([[0., 2.],\n        [1., 3.]])");
    row("reinterpret the end",
        "print(torch.ops.inductor._reinterpret_tensor(torch.arange(4.)[1:], [2], [1], 1))",
        "tensor([2., 3.])");
    row("reinterpret nothing",
        "print(torch.ops.inductor._reinterpret_tensor(torch.ones(4), [0, 3], [3, 1], 4).shape)",
        "torch.Size([0, 3])");
    row("reshape_alias", "print(aten._reshape_alias(torch.arange(4.), [3, 2], [1, 1]))",
        "tensor([[0., 1.],\n        [1., 2.],\n        [2., 3.]])");
    row("pool",
        "print(torch.ops.inductor._alloc_from_pool(torch.zeros(8, dtype=torch.uint8), 4, torch.float32, [1], "
        "[1]))",
        "tensor([0.])");
    row("coo", "print(aten._sparse_coo_tensor_unsafe(torch.tensor([[0, 3]]), torch.ones(2), [4]).to_dense())",
        "tensor([1., 0., 0., 1.])");
    row("embedding_bag",
        "print(torch.nn.functional.embedding_bag(torch.tensor([1, 2, 3]), torch.arange(8.).view(4, 2), "
        "torch.tensor([0, 0, 2]), mode='sum'))",
        "tensor([[0., 0.],\n        [6., 8.],\n        [6., 7.]])");
    row("largest of bags",
        "w = torch.arange(8.).view(4, 2).requires_grad_()\n"
        "torch.nn.functional.embedding_bag(torch.tensor([1, 3]), w, torch.tensor([0, 0, 2]), "
        "mode='max').sum().backward()\n"
        "print(w.grad.sum(1))",
        "tensor([0., 0., 0., 2.])");
    row("ctc_loss with padding",
        "x = torch.arange(40.).view(5, 2, 4).sin().log_softmax(-1).requires_grad_()\n"
        "loss = torch.nn.functional.ctc_loss(x, torch.tensor([[1, 2, -1], [3, -1, 99]]), torch.tensor([5, "
        "5]), "
        "torch.tensor([2, 1]))\nloss.backward()\nprint(loss.detach(), x.grad[0, 1])",
        "tensor(3.2625) tensor([-0.1248,  0.0542,  0.1069, -0.0362])");
    row("ctc_loss with lists",
        "x = torch.arange(20.).view(5, 1, 4).sin().log_softmax(-1)\n"
        "print(torch.nn.functional.ctc_loss(x, torch.tensor([[1, 2, 99]]), (5,), (2,)))",
        "tensor(1.9695)");
    row("ctc_loss of joined targets",
        "x = torch.arange(20.).view(5, 1, 4).sin().log_softmax(-1).expand(5, 2, 4)\n"
        "print(torch.nn.functional.ctc_loss(x, torch.tensor([1, 2, 3]), (5, 5), (2, 1)))",
        "tensor(3.4217)");
    row("ctc_loss of no targets",
        "x = torch.arange(20.).view(5, 1, 4).sin().log_softmax(-1)\n"
        "print(torch.nn.functional.ctc_loss(x, torch.tensor([[-1, 2]]), (5,), (0,)))",
        "tensor(8.3551)");
    row("segment_reduce",
        "x = torch.arange(4.).requires_grad_()\n"
        "y = torch.segment_reduce(x, 'sum', lengths=torch.tensor([2, 2]), axis=-1)\n"
        "y.pow(2).sum().backward()\nprint(y.detach(), x.grad)",
        "tensor([1., 5.]) tensor([ 2.,  2., 10., 10.])");
    row("segment_reduce last axis",
        "print(torch.segment_reduce(torch.arange(8.).view(2, 4), 'sum', lengths=torch.tensor([[2, 2], [1, "
        "3]]), "
        "axis=-1, unsafe=True))",
        "tensor([[ 1.,  5.],\n        [ 4., 18.]])");
    row("segment_reduce axis of two",
        "print(torch.segment_reduce(torch.arange(8.).view(4, 2), 'sum', lengths=torch.tensor([2, 2]), "
        "axis=-2, "
        "unsafe=True))",
        "tensor([[ 2.,  4.],\n        [10., 12.]])");
    row("nll_loss that ignores",
        "x = torch.zeros(2, 3, requires_grad=True)\n"
        "torch.nn.functional.nll_loss(x, torch.tensor([0, -100])).backward()\nprint(x.grad[0])",
        "tensor([-1.,  0.,  0.])");
    row("max_pool2d",
        "x = torch.arange(16.).view(1, 4, 4).requires_grad_()\n"
        "torch.nn.functional.max_pool2d(x, 2).sum().backward()\nprint(x.grad[0, 1])",
        "tensor([0., 1., 0., 1.])");
    row("batch_norm without statistics",
        "print(torch.nn.functional.batch_norm(torch.ones(2, 3), None, None, "
        "training=True).sum())",
        "tensor(0.)");
    // Memory that is new is zero, and what there was stays.
    row("empty", "print(torch.empty(1000).abs().sum(), torch.empty_strided((2, 2), (7, 1)).storage_offset())",
        "tensor(0.) 0");
    row("empty_like", "print(torch.empty_like(torch.ones(1000)).sum(), torch.ones(2).new_empty(1000).sum())",
        "tensor(0.) tensor(0.)");
    row("resize_", "print(torch.arange(1., 3.).resize_(500)[:3], torch.ones(2).resize_(500).sum())",
        "tensor([1., 2., 0.]) tensor(2.)");
    row("resize_ by its operator",
        "print(aten.resize_(torch.ones(2), [500]).sum(), aten.resize(torch.ones(2), [500]).sum())",
        "tensor(2.) tensor(2.)");
    row("set_",
        "x = torch.ones(2)\nprint(torch.empty(0).set_(x.untyped_storage(), 0, (500,), (1,)).sum(), x.sum())",
        "tensor(2.) tensor(2.)");
    row("set_ of a tensor",
        "x = torch.ones(2)\nprint(torch.empty(0).set_(x, 0, (500,), (1,)).sum(), "
        "torch.ones(3).set_(x).sum())",
        "tensor(2.) tensor(2.)");
    row("storage", "print(sum(torch.UntypedStorage(4000).tolist()))", "0");
    // Where the data of a sparse tensor is cannot be written over.
    row("indices",
        "s = torch.sparse_coo_tensor([[0, 1]], [1., 2.], (4,)).coalesce()\ns.indices().fill_(1 << 40)\n"
        "s._indices().fill_(1 << 40)\nprint(s.to_dense())",
        "tensor([1., 2., 0., 0.])");
    row("values",
        "s = torch.sparse_coo_tensor([[0, 1]], [1., 2.], (4,))\ns._values().mul_(2)\nprint(s.to_dense())",
        "tensor([2., 4., 0., 0.])");
    row("col_indices",
        "s = torch.eye(2).to_sparse_csr()\ns.col_indices().fill_(1 << 40)\nprint(s @ torch.ones(2, 1))",
        "tensor([[1.],\n        [1.]])");
    row("storages by id",
        "x = torch.ones(4)\nprint(id(x.untyped_storage()) == id(x[1:].untyped_storage()), "
        "id(x.untyped_storage()) == id(x.clone().untyped_storage()))",
        "True False");
}

void OperatorBoundsTest::allows() {
    QFETCH(const QByteArray, program);
    QFETCH(const QByteArray, output);
    QCOMPARE(QByteArray::fromStdString(run(program.toStdString() + '\n')), output);
}

/// Calls of LibTorch's own, which no node stands for, pass the same checks.
void OperatorBoundsTest::checksWithinOtherOperators() {
    const at::Tensor probabilities = at::randn({5, 1, 4}), targets = at::full({1, 1}, 9, at::kLong);
    QVERIFY_THROWS_EXCEPTION(
        c10::Error, at::ctc_loss(probabilities, targets, at::IntArrayRef({5}), at::IntArrayRef({1})));
    QVERIFY_THROWS_EXCEPTION(c10::Error, at::embedding_bag(at::ones({4, 2}), at::ones({3}, at::kLong),
                                                           at::tensor({0, -7, 2}, at::kLong)));
}

void OperatorBoundsTest::leavesOrdinaryOperatorsAlone() {
    using Call = void (*)(torch::jit::Stack&);
    const auto plain = [](torch::jit::Stack&) {};
    for (const char* name :
         {"torch.ops.aten.add.Tensor", "torch.ops.aten.as_strided.default", "torch.ops.aten.gather.default"})
        QVERIFY(
            callWithinBounds(*findOperator(Target(name))->schema, static_cast<Call>(plain)).target<Call>());
}

FX_TEST(OperatorBoundsTest)
} // namespace fx::operator_bounds_test

#include "tst_operator_bounds.moc"
