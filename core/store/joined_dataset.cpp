// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/joined_dataset.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "core/model/text.h"
#include "core/store/dataset_joiner.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

const Workload* findWorkload(const Dataset& dataset, const std::string& definition, const std::string& uuid)
{
    const auto& lines = dataset.workloadsOf(definition);
    const auto found = std::find_if(lines.begin(), lines.end(), [&uuid](const Trace& line) { return line.workload.uuid == uuid; });
    return found == lines.end() ? nullptr : &found->workload;
}

bool hasDefinition(const JoinedFolder& folder, const std::string& name)
{
    return folder.dataset->findDefinition(name) != nullptr && !folder.strandedDefinitions.contains(name);
}
bool hasSolution(const JoinedFolder& folder, const std::string& name)
{
    return folder.dataset->findSolution(name) != nullptr && !folder.strandedSolutions.contains(name);
}
bool hasWorkload(const JoinedFolder& folder, const std::string& definition, const std::string& uuid)
{
    return hasDefinition(folder, definition) && !folder.strandedWorkloads.contains({definition, uuid}) &&
           findWorkload(*folder.dataset, definition, uuid) != nullptr;
}
bool hasAll(const JoinedFolder& folder, const WantedEvaluation& wanted)
{
    return hasWorkload(folder, wanted.definition, wanted.workload) && (wanted.solution.empty() || hasSolution(folder, wanted.solution));
}

template <class Has>
std::string nameOfFirst(const Dataset& dataset, Has has)
{
    const auto found = std::find_if(dataset.folders().begin(), dataset.folders().end(), has);
    return found == dataset.folders().end() ? "no folder" : found->name;
}

Error scatteredError(const Dataset& dataset, const std::vector<WantedEvaluation>& wanted)
{
    std::string reason;
    for (const WantedEvaluation& one : wanted) {
        const bool isTogether = std::any_of(dataset.folders().begin(), dataset.folders().end(), [&one](const JoinedFolder& folder) { return hasAll(folder, one); });
        if (isTogether) continue;
        reason = "the workload '" + one.workload + "' of '" + one.definition + "' is in " +
                 nameOfFirst(dataset, [&one](const JoinedFolder& folder) { return hasWorkload(folder, one.definition, one.workload); }) + " and the solution '" + one.solution +
                 "' in " + nameOfFirst(dataset, [&one](const JoinedFolder& folder) { return hasSolution(folder, one.solution); }) +
                 ". A result is stored in the folder of its definition, which must have the solution and the workload, too: copy what is missing there, or merge the folders with tracedeck merge";
        break;
    }
    if (reason.empty()) {
        std::set<std::string> folders;
        for (const WantedEvaluation& one : wanted)
            folders.insert(nameOfFirst(dataset, [&one](const JoinedFolder& folder) { return hasAll(folder, one); }));
        std::string names;
        for (const std::string& name : folders) names += (names.empty() ? "" : ", ") + name;
        reason = "what is chosen lies in several folders (" + names + "), and a run stores its results in one. Choose what one folder has, and run the others after it";
    }
    return Error{ErrorCode::Usage, std::move(reason), {}, 0, {}};
}

}  // namespace

std::shared_ptr<const Dataset> joinDatasets(const std::vector<std::shared_ptr<const Dataset>>& sources, const Dataset* old)
{
    return DatasetJoiner(sources, old).join();
}

Result<std::shared_ptr<const Dataset>> loadFolders(const std::vector<fs::path>& roots, std::stop_token stop, LoadProgress* progress, unsigned threads)
{
    std::vector<std::shared_ptr<const Dataset>> loaded;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            std::error_code code;   // a folder that is not there is named when it is loaded
            if (fs::equivalent(roots[i], roots[k], code))
                return Error{ErrorCode::Usage, "this folder is open already", toValidUtf8(roots[i].string()), 0, {}};
        }
    }
    for (const fs::path& root : roots) {
        auto dataset = Dataset::load(root, stop, progress, threads);
        if (!dataset) return dataset.error();
        loaded.push_back(std::move(*dataset));
    }
    if (loaded.empty()) return Error{ErrorCode::Usage, "there is no folder to load", {}, 0, {}};
    return loaded.size() == 1 ? loaded.front() : joinDatasets(loaded);
}

Result<std::shared_ptr<const Dataset>> reloadJoined(const std::shared_ptr<const Dataset>& old, std::stop_token stop, LoadProgress* progress,
                                                    unsigned threads)
{
    std::vector<std::shared_ptr<const Dataset>> sources;
    std::vector<JoinedFolder> folders = old->folders();
    bool isUntouched = true;   // nothing was even looked into
    bool isSame = true;        // files that are seconds old were read again, since their time stamps prove nothing, and say what they said
    for (JoinedFolder& folder : folders) {
        auto reloaded = Dataset::reload(folder.dataset, stop, progress, threads);
        if (!reloaded) return reloaded.error();
        isUntouched = isUntouched && *reloaded == folder.dataset;
        isSame = isSame && (*reloaded)->hasSameContent(*folder.dataset);
        folder.dataset = *reloaded;
        sources.push_back(std::move(*reloaded));
    }
    if (isUntouched) return old;
    return isSame ? old->withFolders(std::move(folders)) : joinDatasets(sources, old.get());
}

std::string displayName(const Dataset& dataset)
{
    std::string name;
    for (const JoinedFolder& folder : dataset.folders()) name += (name.empty() ? "" : " + ") + folder.name;
    if (dataset.isJoined()) return name;
    const fs::path root = dataset.root().lexically_normal();
    name = toValidUtf8(root.filename().string());
    return name.empty() ? toValidUtf8(root.parent_path().filename().string()) : name;
}

std::vector<fs::path> rootsOf(const Dataset& dataset)
{
    if (!dataset.isJoined()) return {dataset.root()};
    std::vector<fs::path> roots;
    std::transform(dataset.folders().begin(), dataset.folders().end(), std::back_inserter(roots), [](const JoinedFolder& folder) { return folder.dataset->root(); });
    return roots;
}

std::size_t folderContaining(const Dataset& dataset, const fs::path& file)
{
    // The longest root wins: a folder may lie within another.
    std::size_t best = 0;
    std::size_t longest = 0;
    const fs::path normal = file.lexically_normal();
    for (std::size_t i = 0; i < dataset.folders().size(); ++i) {
        const fs::path root = fs::absolute(dataset.folders()[i].dataset->root() / "").lexically_normal();
        const fs::path relative = normal.lexically_relative(root);
        if (relative.empty() || *relative.begin() == ".." || root.native().size() <= longest) continue;
        longest = root.native().size();
        best = i;
    }
    return best;
}

const fs::path& folderOfDefinition(const Dataset& dataset, const std::string& definition)
{
    if (!dataset.isJoined()) return dataset.root();
    const auto& folders = dataset.folders();
    const auto found = std::find_if(folders.begin(), folders.end(), [&definition](const JoinedFolder& folder) { return hasDefinition(folder, definition); });
    return (found == folders.end() ? folders.front() : *found).dataset->root();
}

const fs::path& folderOfWorkload(const Dataset& dataset, const std::string& definition, const std::string& uuid)
{
    if (!dataset.isJoined()) return dataset.root();
    const auto& folders = dataset.folders();
    auto found = std::find_if(folders.begin(), folders.end(), [&](const JoinedFolder& folder) { return hasWorkload(folder, definition, uuid); });
    // A workload of a definition that this folder lacks.
    if (found == folders.end())
        found = std::find_if(folders.begin(), folders.end(), [&](const JoinedFolder& folder) { return findWorkload(*folder.dataset, definition, uuid) != nullptr; });
    return (found == folders.end() ? folders.front() : *found).dataset->root();
}

Result<std::shared_ptr<const Dataset>> folderToRunIn(const std::shared_ptr<const Dataset>& dataset, const std::vector<WantedEvaluation>& wanted)
{
    if (!dataset->isJoined()) return dataset;
    for (const JoinedFolder& folder : dataset->folders()) {
        if (std::all_of(wanted.begin(), wanted.end(), [&folder](const WantedEvaluation& one) { return hasAll(folder, one); })) return folder.dataset;
    }
    return scatteredError(*dataset, wanted);
}

}  // namespace tracedeck
