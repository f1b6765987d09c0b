// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/problem_folder_loading.h"

#include "core/model/text.h"

namespace tracedeck {

void labelDefinition(Definition& definition, const std::string& file, const ScannedFiles& scanned, const std::filesystem::path& root)
{
    const ProblemFolder* folder = scanned.problemFolderOf(file);
    if (folder != nullptr && !folder->configFile.empty()) definition.configFile = toValidUtf8((root / folder->configFile).string());
    if (definition.opTypeGiven) return;
    // definitions/<op_type>/<name>.json
    const std::string inFolder = file.substr(file.find('/') + 1);
    const std::size_t slash = inFolder.find('/');
    definition.opType = folder != nullptr ? folder->label : slash == std::string::npos ? kUngroupedLabel : inFolder.substr(0, slash);
}

LinePlaces::LinePlaces(const ScannedFiles& scanned, const std::filesystem::path& root, const std::vector<const Definition*>& definitions)
    : m_scanned(scanned)
{
    std::map<std::string, const std::string*> firstFolderOf;
    for (std::size_t i = 0; i < scanned.problemFolders.size(); ++i) {
        const std::string& folder = scanned.problemFolders[i].path;
        const Definition* definition = definitions.at(i);
        // The workloads of a definition that cannot be read are kept under the name of its folder.
        Named named{definition != nullptr ? definition->name : (root / folder / "").lexically_normal().parent_path().filename().string(), {}};
        const auto [first, isNew] = firstFolderOf.try_emplace(named.definition, &folder);
        if (!isNew) {
            named.leftOutReason = "the definition '" + named.definition + "' of this folder was read from " +
                                  toValidUtf8((root / *first->second).string()) + " already: both are left out here";
        }
        m_byFolder.emplace(folder, std::move(named));
    }
}

LinePlaces::Place LinePlaces::of(const std::string& file, bool isTraceFolder) const
{
    Place place{{m_scanned.dialect(), std::filesystem::path(file).stem().string()}, {}};
    const ProblemFolder* folder = m_scanned.problemFolderOf(file);
    if (folder == nullptr) return place;
    const Named& named = m_byFolder.at(folder->path);
    place.readPlace.definition = named.definition;
    if (!isTraceFolder) place.leftOutReason = named.leftOutReason;
    return place;
}

}  // namespace tracedeck
