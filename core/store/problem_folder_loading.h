// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"

namespace tracedeck {

/// Names the config file of a definition's problem folder, and gives a definition without an op_type a label from where it
/// lies. `file`: its own, relative to the root.
void labelDefinition(Definition& definition, const std::string& file, const ScannedFiles& scanned, const std::filesystem::path& root);

/// Says for each file of lines whose rules hold in it, and whose workloads stand in it when they do not say so themselves.
class LinePlaces {
public:
    /// `definitions`: of the scanned files, in their order; null for one that cannot be read. Looked at only where there are
    /// problem folders. `scanned` must outlive this.
    LinePlaces(const ScannedFiles& scanned, const std::filesystem::path& root, const std::vector<const Definition*>& definitions);

    struct Place {
        ReadPlace readPlace;
        std::string leftOutReason;   ///< not empty: nothing of the file is read, and why
    };
    /// `file`: relative to the root.
    [[nodiscard]] Place of(const std::string& file, bool isTraceFolder) const;

private:
    struct Named {
        std::string definition;
        std::string leftOutReason;
    };
    const ScannedFiles& m_scanned;
    std::map<std::string, Named> m_byFolder;
};

}  // namespace tracedeck
