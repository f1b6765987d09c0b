// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/dataset_builder.h"

namespace tracedeck::test {

/// A trace of set Q: a latency, or a failing status.
struct Outcome {
    const char* uuid;
    double latencyMs = 1;
    Status status = Status::Passed;
};

inline void addTraces(DatasetBuilder& builder, const std::string& definition, const std::string& solution, const std::vector<Outcome>& outcomes)
{
    for (const Outcome& outcome : outcomes) {
        builder.trace({.definition = definition, .solution = solution, .uuid = outcome.uuid, .latencyMs = outcome.latencyMs, .status = outcome.status});
    }
}

/// Set Q of the data model's worked examples.
inline std::shared_ptr<const Dataset> loadSetQ()
{
    DatasetBuilder builder;
    builder.definition({.name = "g1"}).definition({.name = "g2"}).definition({.name = "n1", .opType = "norm"});
    const std::vector<std::array<const char*, 3>> solutions{
        {"base_g1", "g1", "baseline"}, {"ann_g1_a", "g1", "ann"}, {"ann_g1_b", "g1", "ann"}, {"bob_g1", "g1", "bob"},
        {"cat_g1", "g1", "cat"},       {"base_g2", "g2", "baseline"}, {"ann_g2", "g2", "ann"}, {"dan_g2", "g2", "dan"},
        {"base_n1", "n1", "baseline"}, {"bob_n1", "n1", "bob"}, {"eve_n1", "n1", "eve"}};
    for (const auto& [name, definition, author] : solutions) builder.solution({.name = name, .definition = definition, .author = author});
    addTraces(builder, "g1", "base_g1", {{"u1", 4}, {"u1", 3}, {"u2", 6}, {"u3", 1, Status::Timeout}});
    addTraces(builder, "g1", "ann_g1_a", {{"u1", 2}, {"u1", 1.5}, {"u2", 6}, {"u3", 1}});
    addTraces(builder, "g1", "ann_g1_b", {{"u1", 1}, {"u2", 12}});
    addTraces(builder, "g1", "bob_g1", {{"u1", 1}, {"u3", 1, Status::RuntimeError}});
    addTraces(builder, "g1", "cat_g1", {{"u3", 0.5}});
    addTraces(builder, "g2", "base_g2", {{"v1", 8}, {"v2", 5}});
    addTraces(builder, "g2", "ann_g2", {{"v1", 10}});
    addTraces(builder, "g2", "dan_g2", {{"v1", 8}, {"v2", 4}});
    addTraces(builder, "n1", "base_n1", {{"w1", 1.5}});
    addTraces(builder, "n1", "bob_n1", {{"w1", 0.5}});
    addTraces(builder, "n1", "eve_n1", {{"w1", 1, Status::IncorrectNumerical}});
    return builder.load();
}

}  // namespace tracedeck::test
