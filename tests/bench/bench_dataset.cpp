// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the data layer on the dataset that TRACEDECK_BENCH_DATASET names (make_dataset.py makes one), next to the floor:
// simdjson parsing the same bytes on as many threads. tests/bench/run.py runs it and puts the figures together.
#include <benchmark/benchmark.h>
#include <simdjson.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/io/dataset_scanner.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace {

using namespace tracedeck;
namespace fs = std::filesystem;

fs::path datasetFolder()
{
    const char* folder = std::getenv("TRACEDECK_BENCH_DATASET");
    if (folder == nullptr || *folder == '\0') throw std::runtime_error("TRACEDECK_BENCH_DATASET must name a dataset folder");
    return folder;
}

unsigned threadCount()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

std::shared_ptr<const Dataset> loadOrThrow()
{
    auto dataset = Dataset::load(datasetFolder());
    if (!dataset) throw std::runtime_error(dataset.error().toString());
    if ((*dataset)->traces().size() == 0) throw std::runtime_error("the dataset has no traces");
    return *dataset;
}

/// Loaded once for all measurements that only look at it.
const std::shared_ptr<const Dataset>& sharedDataset()
{
    static const std::shared_ptr<const Dataset> dataset = loadOrThrow();
    return dataset;
}

/// Every file that a load reads.
const std::vector<std::string>& allFiles()
{
    static const std::vector<std::string> files = [] {
        const auto scanned = scanDataset(datasetFolder());
        if (!scanned) throw std::runtime_error(scanned.error().toString());
        std::vector<std::string> all = scanned->traces;
        for (const auto* more : {&scanned->workloads, &scanned->solutions, &scanned->definitions}) all.insert(all.end(), more->begin(), more->end());
        return all;
    }();
    return files;
}

template <class Work>
void onThreads(unsigned threads, std::size_t count, Work work)
{
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; ++thread) {
        running.emplace_back([&] {
            simdjson::dom::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
            parser.threaded = false;   // no second thread behind our back
#endif
            for (std::size_t i = next++; i < count; i = next++) work(i, parser);
        });
    }
}

std::uint64_t parseAll(simdjson::dom::parser& parser, const simdjson::padded_string& text)
{
    std::uint64_t documents = 0;
    // Whole files in one go, in batches that fit the cache.
    simdjson::dom::document_stream stream;
    if (parser.parse_many(text, std::min<std::size_t>(std::max<std::size_t>(text.size(), 64), 1'000'000)).get(stream) != simdjson::SUCCESS) {
        throw std::runtime_error("simdjson cannot parse the dataset");
    }
    for (auto document : stream) {
        simdjson::dom::element element;
        if (document.get(element) != simdjson::SUCCESS) throw std::runtime_error("simdjson cannot parse a line");
        ++documents;
    }
    return documents;
}

void floorInMemory(benchmark::State& state)
{
    const auto threads = static_cast<unsigned>(state.range(0));
    std::vector<simdjson::padded_string> texts;
    std::uint64_t bytes = 0;
    for (const std::string& file : allFiles()) {
        simdjson::padded_string text;
        if (simdjson::padded_string::load((datasetFolder() / file).string()).get(text) != simdjson::SUCCESS) throw std::runtime_error("cannot read " + file);
        bytes += text.size();
        texts.push_back(std::move(text));
    }
    std::atomic<std::uint64_t> documents{0};
    for (auto _ : state) {
        documents = 0;
        onThreads(threads, texts.size(), [&](std::size_t i, simdjson::dom::parser& parser) { documents += parseAll(parser, texts[i]); });
    }
    state.counters["documents"] = static_cast<double>(documents.load());
    state.counters["bytes"] = static_cast<double>(bytes);
}

void floorReading(benchmark::State& state)
{
    const auto threads = static_cast<unsigned>(state.range(0));
    std::atomic<std::uint64_t> documents{0};
    for (auto _ : state) {
        documents = 0;
        onThreads(threads, allFiles().size(), [&](std::size_t i, simdjson::dom::parser& parser) {
            simdjson::padded_string text;
            if (simdjson::padded_string::load((datasetFolder() / allFiles()[i]).string()).get(text) != simdjson::SUCCESS) {
                throw std::runtime_error("cannot read " + allFiles()[i]);
            }
            documents += parseAll(parser, text);
        });
    }
    state.counters["documents"] = static_cast<double>(documents.load());
}

void load(benchmark::State& state)
{
    std::size_t traces = 0;
    for (auto _ : state) {
        auto dataset = Dataset::load(datasetFolder(), {}, nullptr, static_cast<unsigned>(state.range(0)));
        if (!dataset) throw std::runtime_error(dataset.error().toString());
        traces = (*dataset)->traces().size();
        state.PauseTiming();
        dataset->reset();
        state.ResumeTiming();
    }
    state.counters["traces"] = static_cast<double>(traces);
}

std::shared_ptr<const Dataset> reloadOrThrow(const std::shared_ptr<const Dataset>& dataset)
{
    auto again = Dataset::reload(dataset);
    if (!again) throw std::runtime_error(again.error().toString());
    return *again;
}

void reloadUnchanged(benchmark::State& state)
{
    auto dataset = reloadOrThrow(sharedDataset());
    for (auto _ : state) {
        if (reloadOrThrow(dataset) != dataset) throw std::runtime_error("nothing changed, and the snapshot is another one");
    }
}

/// Appends a line to a file in the middle of the load order, reloads, and finally takes the lines away again.
void reloadOneLine(benchmark::State& state)
{
    const std::shared_ptr<const Dataset> original = sharedDataset();
    const std::size_t middle = original->traces().size() / 2;
    const fs::path file = datasetFolder() / original->traceFile(middle);
    const auto size = fs::file_size(file);
    std::string line;
    std::getline(std::ifstream(file), line);
    auto dataset = reloadOrThrow(original);
    for (auto _ : state) {
        state.PauseTiming();
        std::ofstream(file, std::ios::app) << line << '\n';
        const std::size_t before = dataset->traces().size();
        state.ResumeTiming();
        dataset = reloadOrThrow(dataset);
        if (dataset->traces().size() != before + 1) throw std::runtime_error("the appended line was not found");
    }
    fs::resize_file(file, size);
}

void rank(benchmark::State& state)
{
    const auto& dataset = sharedDataset();
    for (auto _ : state) {
        auto ranking = rankAuthors(*dataset, defaultBaselineAuthor(*dataset), {});
        if (!ranking) throw std::runtime_error(ranking.error().toString());
        state.counters["authors"] = static_cast<double>(ranking->authors.size());
    }
}

void summary(benchmark::State& state)
{
    const auto& dataset = sharedDataset();
    for (auto _ : state) {
        auto summed = summarize(*dataset, defaultBaselineAuthor(*dataset), {});
        if (!summed) throw std::runtime_error(summed.error().toString());
        benchmark::DoNotOptimize(summed->passed);
    }
}

void filter(benchmark::State& state, const TraceFilter& wanted)
{
    const auto& dataset = sharedDataset();
    std::size_t rows = 0;
    for (auto _ : state) {
        const RowIndex found = filterTraces(*dataset, wanted);
        rows = found.size();
    }
    state.counters["rows"] = static_cast<double>(rows);
}

void sort(benchmark::State& state, const std::vector<TraceSort>& keys)
{
    const auto& dataset = sharedDataset();
    const RowIndex all = filterTraces(*dataset, {});
    for (auto _ : state) {
        state.PauseTiming();
        RowIndex rows = all;
        state.ResumeTiming();
        sortTraces(*dataset, rows, keys);
        benchmark::DoNotOptimize(rows.data());
    }
}

void selectNewest(benchmark::State& state)
{
    const auto& dataset = sharedDataset();
    const RowIndex all = filterTraces(*dataset, {});
    for (auto _ : state) {
        const RowIndex rows = selectTraces(*dataset, all, SelectionPolicy::Newest);
        benchmark::DoNotOptimize(rows.data());
    }
}

std::uint64_t residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    if (!(statm >> total >> resident)) throw std::runtime_error("/proc/self/statm cannot be read");
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Means something in a process of its own only: run.py starts one.
void memory(benchmark::State& state)
{
    for (auto _ : state) {
        const std::uint64_t before = residentBytes();
        const auto dataset = loadOrThrow();
        Dataset::releaseFreedMemory();   // as the window does after a load
        const std::uint64_t after = residentBytes();
        const TraceTable& table = dataset->traces();
        std::uint64_t nameBytes = 0;
        for (std::uint32_t id = 0; id < table.names().size(); ++id) nameBytes += table.names().text(id).size();
        state.counters["traces"] = static_cast<double>(table.size());
        state.counters["resident_bytes"] = static_cast<double>(after - before);
        state.counters["row_bytes"] = static_cast<double>(sizeof(TraceRow));
        state.counters["interned_text_bytes"] = static_cast<double>(nameBytes);
        const Dataset::MemoryUse use = dataset->memoryUse();
        state.counters["trace_bytes"] = static_cast<double>(use.traceBytes);
        state.counters["interned_bytes"] = static_cast<double>(use.internedBytes);
    }
}

TraceFilter withText(const char* text)
{
    TraceFilter wanted;
    wanted.text = text;
    return wanted;
}

TraceFilter passedOnly()
{
    TraceFilter wanted;
    wanted.statuses = {Status::Passed};
    wanted.hardware = {"NVIDIA B200"};
    wanted.axes = {{"batch_size", 64}};
    return wanted;
}

void registerAll()
{
    const auto threads = static_cast<std::int64_t>(threadCount());
    const auto timed = [](benchmark::internal::Benchmark* one) { return one->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime(); };
    timed(benchmark::RegisterBenchmark("memory", memory))->Iterations(1);
    for (const std::int64_t count : {threads, std::int64_t{1}}) {
        timed(benchmark::RegisterBenchmark("floor_in_memory", floorInMemory))->Arg(count)->ArgName("threads");
        timed(benchmark::RegisterBenchmark("floor_reading", floorReading))->Arg(count)->ArgName("threads");
        timed(benchmark::RegisterBenchmark("load", load))->Arg(count)->ArgName("threads");
        if (threads == 1) break;
    }
    timed(benchmark::RegisterBenchmark("reload_unchanged", reloadUnchanged));
    timed(benchmark::RegisterBenchmark("reload_one_line", reloadOneLine));
    timed(benchmark::RegisterBenchmark("rank_authors", rank));
    timed(benchmark::RegisterBenchmark("summary", summary));
    timed(benchmark::RegisterBenchmark("filter_all", filter, TraceFilter{}));
    timed(benchmark::RegisterBenchmark("filter_one_letter", filter, withText("g")));
    timed(benchmark::RegisterBenchmark("filter_words", filter, withText("gemm author03 b200")));
    timed(benchmark::RegisterBenchmark("filter_axis", filter, withText("batch_size=64 passed")));
    timed(benchmark::RegisterBenchmark("filter_nothing", filter, withText("zzzzz")));
    timed(benchmark::RegisterBenchmark("filter_columns", filter, passedOnly()));
    using Keys = std::vector<TraceSort>;
    timed(benchmark::RegisterBenchmark("sort_latency", sort, Keys{{TraceColumn::Latency, false}}));
    timed(benchmark::RegisterBenchmark("sort_timestamp", sort, Keys{{TraceColumn::Timestamp, true}}));
    timed(benchmark::RegisterBenchmark("sort_author", sort, Keys{{TraceColumn::Author, false}}));
    timed(benchmark::RegisterBenchmark("sort_axes", sort, Keys{{TraceColumn::Axes, false}}));
    timed(benchmark::RegisterBenchmark("sort_author_latency", sort, Keys{{TraceColumn::Author, false}, {TraceColumn::Latency, false}}));
    timed(benchmark::RegisterBenchmark("select_newest", selectNewest));
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        benchmark::Initialize(&argc, argv);
        if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
        registerAll();
        benchmark::RunSpecifiedBenchmarks();
        benchmark::Shutdown();
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 3;
    }
    return 0;
}
