// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// Puts snapshots together, kind by kind over all of them: a later kind needs to know what became of the earlier ones.
class DatasetJoiner {
public:
    DatasetJoiner(const std::vector<std::shared_ptr<const Dataset>>& sources, const Dataset* old);
    [[nodiscard]] std::shared_ptr<const Dataset> join();

private:
    class KnownTraces;
    void nameFolders();
    void addDefinitions(std::size_t index);
    void addSolutions(std::size_t index);
    [[nodiscard]] bool keepsOldWorkloads() const;
    void addWorkloads();
    void addWorkloadsOf(std::size_t index, const std::string& definition, const std::vector<Trace>& lines, std::vector<Trace>& joined);
    void addTraces();
    /// Rows of a source that are shown; a problem for each file says what is not, and why.
    [[nodiscard]] std::vector<std::uint32_t> shownRows(std::size_t index, KnownTraces& known);
    void addProblem(Severity severity, ErrorCode code, std::string reason, std::string file, std::string field);
    /// File of the line of a workload, as far as the snapshot knows.
    [[nodiscard]] static std::string workloadFile(const Dataset& source, const std::string& definition, std::size_t line);

    const Dataset* m_old;
    std::vector<JoinedFolder> m_folders;
    std::shared_ptr<Dataset> m_joined;
    struct KeptWorkload {
        std::size_t source = 0;
        std::size_t line = 0;   ///< in the source's list
    };
    std::unordered_map<std::string, KeptWorkload> m_keptWorkloads;   ///< by uuid, of the definition in hand
};

}  // namespace tracedeck
