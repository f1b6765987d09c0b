// SPDX-License-Identifier: GPL-3.0-or-later
// new and add: datasets of one kind of kernel, and implementations to measure.
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/interchange/kind_dataset.h"
#include "core/report/text_table.h"
#include "core/store/dataset_writer.h"

namespace tracedeck::cli {

namespace {

struct NewOptions {
    std::string kind;
    std::string out;
    std::string dtype;
    std::string sizes = "gpu";
    std::vector<std::string> workloads;
    bool list = false;
    bool json = false;
};

/// `batch=1,seq_len=128`.
Result<AxisValues> axesOfText(const std::string& text)
{
    AxisValues axes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = part.find('=');
        std::int64_t value = 0;
        const char* const last = part.data() + part.size();
        const bool isWhole = equals != std::string::npos && equals > 0 && std::from_chars(part.data() + equals + 1, last, value).ptr == last && last[-1] != '=';
        if (!isWhole) return Error{ErrorCode::Usage, "'" + part + "' is no axis with its size, such as batch=1", {}, 0, "workload"};
        axes[part.substr(0, equals)] = value;
    }
    return axes;
}

ExitCode printKinds(bool json)
{
    if (json) {
        Json kinds = Json::array();
        for (const KernelKind& kind : kernelKinds()) kinds.push_back({{"name", kind.name}, {"description", kind.description}, {"gpu_workloads", kindGrid(kind, KindSet::Gpu).size()}, {"cpu_workloads", kindGrid(kind, KindSet::Cpu).size()}, {"hub_kernel", kind.hubRepository}});
        return finishOutput(writeStdout(jsonText(kinds)));
    }
    TextTable table({{"Kind"}, {"Workloads", TextTable::Align::Right}, {"Hub kernel"}, {"What it computes"}});
    for (const KernelKind& kind : kernelKinds()) table.addRow({kind.name, std::to_string(kindGrid(kind, KindSet::Gpu).size()), kind.hubRepository, kind.description});
    return finishOutput(writeStdout(table.toString()));
}

ExitCode runNew(const NewOptions& options)
{
    if (options.list) return printKinds(options.json);
    if (options.kind.empty() || options.out.empty()) return fail({ErrorCode::Usage, "new needs --kind and a folder; --list names the kinds", {}, 0, {}});
    KindRequest request;
    request.kind = options.kind;
    request.dtype = options.dtype;
    request.set = options.sizes == "cpu" ? KindSet::Cpu : KindSet::Gpu;
    request.target = options.out;
    for (const std::string& text : options.workloads) {
        auto axes = axesOfText(text);
        if (!axes) return fail(axes.error());
        request.workloads.push_back(*std::move(axes));
    }
    const auto made = makeKindDataset(request);
    if (!made) return fail(made.error());
    if (options.json) return finishOutput(writeStdout(jsonText(Json{{"target", options.out}, {"definition", made->definition}, {"workloads", made->workloads}})));
    return finishOutput(writeStdout(printable(fmt::format("{}: definition {} with {} workload{}", options.out, made->definition, made->workloads, made->workloads == 1 ? "" : "s")) + "\nNext: tracedeck add --local " +
                                    printable(options.out) + " --name NAME --file FILE.py (or --hub), then tracedeck run --local " + printable(options.out) + "\n"));
}

struct AddOptions {
    std::string local;
    ImplementationRequest request;
    std::string file;
    bool hub = false;
    std::string style = "auto";
    bool json = false;
};

ExitCode runAdd(AddOptions options)
{
    if (options.file.empty() != (options.hub || !options.request.hubRepository.empty())) return fail({ErrorCode::Usage, "give either --file or --hub", {}, 0, {}});
    options.request.file = options.file;
    if (options.style != "auto") options.request.destinationPassingStyle = options.style == "destination";
    const auto dataset = openDataset(options.local);
    if (!dataset) return fail(dataset.error());
    const auto solution = makeImplementation(**dataset, options.request);
    if (!solution) return fail(solution.error());
    const auto file = addSolution(**dataset, *solution);
    if (!file) return fail(file.error());
    if (options.json) return finishOutput(writeStdout(jsonText(Json{{"solution", solution->name}, {"definition", solution->definition}, {"file", file->string()}})));
    return finishOutput(writeStdout(printable(fmt::format("{}: solution {} of {}", file->string(), solution->name, solution->definition)) + "\n"));
}

}  // namespace

void addNewCommands(CLI::App& app, CommandContext& context)
{
    auto made = std::make_shared<NewOptions>();
    CLI::App* creating = app.add_subcommand("new", "Make a dataset of one kind of kernel: definition, reference and workloads");
    creating->footer("The kinds, their shapes and argument order are those of Hugging Face's kernels-benchmarks.");
    creating->add_option("out", made->out, "New or empty folder")->type_name("DIR");
    creating->add_option("--kind", made->kind, "Kind of kernel; see --list")->type_name("K");
    creating->add_option("--dtype", made->dtype, "float32, float16 or bfloat16 (default: what is usual for the kind)")->type_name("T");
    creating->add_option("--sizes", made->sizes, "Workloads for a GPU, or smaller ones for the CPU")->check(CLI::IsMember({"gpu", "cpu"}))->capture_default_str();
    creating->add_option("--workload", made->workloads, "A workload in place of those, as batch=1,seq_len=128,…; may be given several times")->allow_extra_args(false)->type_name("AXES");
    creating->add_flag("--list", made->list, "List the kinds");
    creating->add_flag("--json", made->json, "Print one JSON document");
    creating->callback([made, &context] { context.action = [made] { return runNew(*made); }; });

    auto added = std::make_shared<AddOptions>();
    CLI::App* adding = app.add_subcommand("add", "Add an implementation of a definition to a dataset: a file, or a kernel of the Hugging Face Hub");
    adding->footer("A Python function takes the inputs in the order of the definition and returns the outputs. A Hub kernel is called through the Python package\n'kernels'; as a run has no network, it must have been fetched before.");
    adding->add_option("--local", added->local, "Dataset folder (default: $FIB_DATASET_PATH, else ~/.cache/flashinfer_bench/dataset)")->type_name("DIR");
    adding->add_option("--definition", added->request.definition, "What it implements (default: the only definition)")->type_name("D");
    adding->add_option("--name", added->request.name, "Name of the solution")->required()->type_name("NAME");
    adding->add_option("--author", added->request.author, "Its author")->capture_default_str()->type_name("AUTHOR");
    CLI::Option* file = adding->add_option("--file", added->file, "A .py, .cu or .cpp file")->type_name("FILE");
    adding->add_option("--function", added->request.function, "The function to call (default: run)")->needs(file)->type_name("NAME");
    CLI::Option* hub = adding->add_flag("--hub", added->hub, "The Hub kernel that is known for the kind")->excludes(file);
    CLI::Option* repository = adding->add_option("--hub-kernel", added->request.hubRepository, "A Hub kernel by its name")->excludes(file)->excludes(hub)->type_name("OWNER/NAME");
    adding->add_option("--revision", added->request.hubRevision, "Branch, tag or commit of the Hub kernel")->excludes(file)->type_name("REV");
    adding->add_option("--call", added->request.hubCall, "Python that calls the module 'kernel' with the inputs by name and returns the outputs")->needs(repository)->type_name("CODE");
    adding->add_option("--outputs", added->style, "Whether the function returns the outputs, or is given them after the inputs (default: C++ and CUDA are given them)")->check(CLI::IsMember({"auto", "returned", "destination"}))->capture_default_str();
    adding->add_flag("--json", added->json, "Print one JSON document");
    adding->callback([added, &context] { context.action = [added] { return runAdd(*added); }; });
}

}  // namespace tracedeck::cli
