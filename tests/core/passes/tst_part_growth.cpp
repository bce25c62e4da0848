// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that grow as large as they can: the quick way against trying each pair of parts.
#include "core/passes/split/capability_parts.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

#include <random>

namespace fx::part_growth_test {

class TestPartGrowth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The parts of the quick way are those of trying each pair of parts, with a search for a way around.
    void partsGrowAsByTrying() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937 random(seed);
            Calls c;
            std::vector<NodeId> values = {c.input("x"), c.input("y")};
            Refusals refusals;
            const size_t count = 3 + random() % 30, near = 1 + random() % 12;
            for (size_t i = 0; i < count; ++i) {
                const auto any = [&] {
                    return values[values.size() - 1 - random() % std::min(values.size(), near)];
                };
                values.push_back(random() % 2 ? c.call("add", {any(), any()}) : c.call("relu", {any()}));
                if (random() % 3 == 0)
                    refusals.emplace(values.back(), "no");
            }
            const Graph& graph = c.give(values.back()).graph();
            const std::vector<Part> parts = capabilityParts(graph, refusals, {.allowsSingleNode = true});
            std::vector<std::set<NodeId>> found;
            for (const Part& part : parts)
                found.emplace_back(part.nodes.begin(), part.nodes.end());
            const std::vector<std::set<NodeId>> tried = partsByTrying(graph, refusals);
            QVERIFY2(found == tried, ("seed " + std::to_string(seed)).c_str());
        }
    }

private:
    /// torch.fx's way, with the graph searched anew for each pair.
    static std::vector<std::set<NodeId>> partsByTrying(const Graph& graph, const Refusals& refusals) {
        std::vector<NodeId> nodes;
        for (const Node& node : graph)
            nodes.push_back(node.id);
        struct Grown {
            size_t id;
            std::set<NodeId> nodes;
        };
        std::map<size_t, Grown> parts; // by the number of the oldest
        const auto partOf = [&](NodeId node) -> const std::set<NodeId>* {
            for (const auto& [number, part] : parts)
                if (part.nodes.contains(node))
                    return &part.nodes;
            return nullptr;
        };
        const auto wouldWait = [&](const std::set<NodeId>& one, const std::set<NodeId>& other) {
            std::vector<NodeId> waiting;
            std::set<NodeId> seen;
            const auto leave = [&](NodeId node) {
                for (const NodeId user : graph.node(node).users)
                    if (!one.contains(user) && !other.contains(user))
                        waiting.push_back(user);
            };
            for (const auto* part : {&one, &other})
                for (const NodeId node : *part)
                    leave(node);
            while (!waiting.empty()) {
                const NodeId node = waiting.back();
                waiting.pop_back();
                if (!seen.insert(node).second)
                    continue;
                const std::set<NodeId>* part = partOf(node);
                for (const NodeId member : part ? *part : std::set<NodeId>{node})
                    for (const NodeId user : graph.node(member).users) {
                        if (one.contains(user) || other.contains(user))
                            return true;
                        waiting.push_back(user);
                    }
            }
            return false;
        };
        size_t count = 0;
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            std::vector<size_t> order;
            const bool isSupported =
                graph.node(*node).opcode == Opcode::CallFunction && !refusals.contains(*node);
            if (isSupported) {
                parts[count] = {count, {*node}};
                order.push_back(count++);
            }
            for (const auto& [number, part] : parts)
                if (order.empty() || number != order[0])
                    order.push_back(number);
            size_t number = order.empty() ? 0 : order[0];
            for (size_t i = 1; i < order.size(); ++i) {
                Grown &one = parts.at(number), &other = parts.at(order[i]);
                if (wouldWait(one.nodes, other.nodes))
                    continue;
                Grown both{one.nodes.size() < other.nodes.size() ? other.id : one.id, one.nodes};
                both.nodes.insert(other.nodes.begin(), other.nodes.end());
                const auto [kept, gone] = std::minmax(number, order[i]);
                const size_t least = kept, most = gone;
                parts.erase(most);
                parts[least] = std::move(both);
                number = least;
            }
        }
        std::map<size_t, std::set<NodeId>> byId;
        for (auto& [number, part] : parts)
            byId[part.id] = std::move(part.nodes);
        std::vector<std::set<NodeId>> out;
        for (auto& [id, part] : byId)
            out.push_back(std::move(part));
        return out;
    }
};

FX_TEST(TestPartGrowth)
} // namespace fx::part_growth_test
#include "tst_part_growth.moc"
