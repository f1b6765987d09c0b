// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/io/trace_fields.h"
#include "core/report/validation_report.h"
#include "core/report/validation_scan.h"

namespace tracedeck {

/// Names in the whole dataset, from the fields of the files.
struct DatasetNames {
    std::set<std::string> definitions;
    std::set<std::string> solutions;
    std::map<std::string, std::map<std::string, AxisValues>> workloads;   ///< definition → uuid → axes
};

/// What a traces file holds, gathered in one pass. The size depends on what is wrong with the lines, not on their
/// number.
struct TraceFileFacts {
    std::string error;   ///< first bad line; then the file counts as having no records
    bool isUnreadable = false;
    std::size_t records = 0;
    std::size_t distinctUuids = 0;                    ///< of the workloads
    std::size_t uncoveredUuids = 0;                   ///< of the definition's workloads that no line has
    std::optional<std::string> foreignDefinition;     ///< the first one that is not the file's own
    std::vector<CheckMessage> messages;               ///< T3 to T5, in line order
    std::optional<std::string> nonBaselineSolution;   ///< the first one (B5)
    std::size_t nonPassing = 0;                       ///< evaluated lines with another status than PASSED

    /// Lines grouped by what they name, for the check of the whole dataset.
    struct Group {
        std::size_t count = 0;
        std::int64_t firstLine = 0;
    };
    std::map<std::string, Group> unknownDefinitions;
    std::map<std::string, Group> unknownSolutions;
    Group unknownWorkloads;
    Group otherAxes;   ///< the workload of this uuid has other axis values
    Group workloadOnly;
    /// What cannot be true though every reader takes it, by OddValue::kind.
    struct OddGroup {
        OddValue value;
        Group group;
    };
    std::map<std::string, OddGroup> oddValues;
};

/// Names that the lines of a traces file are judged by.
struct TraceJudgement {
    std::string author;                                     ///< folder
    std::string definition;                                 ///< stem of the file
    const std::set<std::string>* solutionStems = nullptr;   ///< parsed solutions of the definition
    const std::set<std::string>* baselineStems = nullptr;
    const std::set<std::string>* workloadUuids = nullptr;
    /// For the check of the whole dataset; null when it does not run.
    const DatasetNames* names = nullptr;
};
[[nodiscard]] TraceFileFacts readTraceFile(const std::filesystem::path& file, const TraceJudgement& judgement,
                                           const std::stop_token& stop);

/// Everything that the scan found for one definition.
struct DefinitionParts {
    std::string name;   ///< stem
    const ScannedDefinition* definition = nullptr;
    std::optional<std::string> duplicate;   ///< text of L1
    const ScannedLines* workloads = nullptr;
    std::vector<const ScannedSolution*> solutions;
    struct TraceFile {
        const ScannedLines* file = nullptr;
        const TraceFileFacts* facts = nullptr;
    };
    std::vector<TraceFile> traces;
    std::set<std::string> workloadUuids;

    [[nodiscard]] const std::string& opType() const { return definition->parts[0]; }
};

[[nodiscard]] CheckResult checkLayout(const std::filesystem::path& root, const DefinitionParts& parts);
[[nodiscard]] CheckResult checkDefinition(const DefinitionParts& parts);
[[nodiscard]] CheckResult checkWorkloads(const std::filesystem::path& root, const DefinitionParts& parts);
[[nodiscard]] CheckResult checkSolutions(const DefinitionParts& parts);
[[nodiscard]] CheckResult checkTraces(const DefinitionParts& parts);
[[nodiscard]] CheckResult checkBaseline(const DefinitionParts& parts);

/// Our own check; `facts` has one entry a traces file of the scan.
[[nodiscard]] DatasetCheckResult checkDataset(const ValidationScan& scan,
                                              const std::vector<std::optional<TraceFileFacts>>& facts);
[[nodiscard]] DatasetNames namesOfDataset(const ValidationScan& scan);

/// `['a', 'b']`, as Python prints a list of texts.
[[nodiscard]] std::string pythonList(const std::set<std::string>& texts);
/// `(3, 4)`, `(3,)`, `()`, as Python prints a tuple.
[[nodiscard]] std::string pythonTuple(const std::vector<std::int64_t>& numbers);

}  // namespace tracedeck
