// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/export_inputs.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/io/file_descriptor.h"
#include "core/io/temporary_file.h"
#include "core/judge/philox.h"

namespace tracedeck::judge {

namespace {

Result<void> writeNew(const std::filesystem::path& path, const std::vector<std::byte>& bytes)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen()) {
        return Error{ErrorCode::Io, fmt::format("can't be written: {}", std::strerror(errno)), path.string(), 0, {}};
    }
    return writeAll(file, path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Result<Json> exportInputs(WorkloadSession& session, const std::filesystem::path& folder, std::uint32_t call)
{
    const std::uint64_t seed = mixSeed(session.contentSeed(), "diagnosis");
    Json inputs = Json::array();
    std::size_t tensors = 0;
    for (const InputSlot& input : session.plan().entries()) {
        if (input.isScalar) {
            inputs.push_back({{"name", input.layout.name}, {"value", input.scalar}});
            continue;
        }
        auto read = session.readInputs({input.layout.name}, seed, call);
        if (!read) {
            return read.error();
        }
        const HostTensor& tensor = read->front();
        // Names come from the dataset: they are no names of files.
        const std::string file = fmt::format("input{}.bin", tensors++);
        if (auto written = writeNew(folder / file, tensor.bytes); !written) {
            return written.error();
        }
        inputs.push_back({{"name", tensor.layout.name}, {"dtype", toString(tensor.layout.dtype)}, {"shape", tensor.layout.shape}, {"file", file}});
    }
    Json outputs = Json::array();
    const std::vector<TensorLayout> layouts = session.outputLayouts();
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const auto& declared = session.definition().outputs;
        outputs.push_back({{"name", layouts[i].name},
                           {"dtype", toString(layouts[i].dtype)},
                           {"declared", i < declared.size() ? declared[i].dtypeName : layouts[i].dtypeName},
                           {"shape", layouts[i].shape}});
    }
    return Json{{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}};
}

}  // namespace tracedeck::judge
