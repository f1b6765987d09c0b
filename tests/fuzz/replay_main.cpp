// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where the compiler has none: runs a fuzz target on every file of a corpus folder and on
// mutations of it. The mutations are the same every time, so that a failure can be repeated.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int kMutationsAFile = 3000;
constexpr std::size_t kMaximumBytes = 1U << 16U;

/// Pieces that matter to the readers under test.
constexpr std::string_view kPieces[] = {"{",    "}",       "[",       "]",    "\"",     ":",       ",",      "null", "true",   "NaN",
                                        "-",    "Infinity", "1e999",  "-0",   "\\u0000", "\\ud800", "\xEF\xBB\xBF", "\xFF", "\n",  "\r",
                                        "{}",   "[]",      "18446744073709551616", "1.5", "\"\"", "\\", " ", "0", "\"type\":", "\"value\":"};

class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed | 1U) {}
    std::size_t below(std::size_t limit)
    {
        m_state ^= m_state << 13U;
        m_state ^= m_state >> 7U;
        m_state ^= m_state << 17U;
        return limit == 0 ? 0 : static_cast<std::size_t>(m_state % limit);
    }

private:
    std::uint64_t m_state;
};

char currentInput[512];

/// Says which input it was; the default action then ends the program.
extern "C" void onFatalSignal(int signal)
{
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, currentInput, std::strlen(currentInput));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void mutate(std::string& text, const std::vector<std::string>& corpus, Random& random)
{
    const std::size_t place = random.below(text.size() + 1);
    const std::size_t length = std::min(random.below(32) + 1, text.size() - place);
    switch (random.below(7)) {
    case 0:
        if (place < text.size()) text[place] = static_cast<char>(random.below(256));
        break;
    case 1: text.insert(place, kPieces[random.below(std::size(kPieces))]); break;
    case 2: text.erase(place, length); break;
    case 3: text.insert(random.below(text.size() + 1), text.substr(place, length)); break;
    case 4: text.resize(place); break;
    case 5: {
        const std::string& other = corpus[random.below(corpus.size())];
        const std::size_t start = random.below(other.size() + 1);
        text.insert(place, other.substr(start, random.below(200)));
        break;
    }
    default: text.replace(place, length, kPieces[random.below(std::size(kPieces))]); break;
    }
    if (text.size() > kMaximumBytes) text.resize(kMaximumBytes);
}

void run(const std::string& text)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv)
{
    namespace fs = std::filesystem;
    if (argc != 2 || !fs::is_directory(argv[1])) {
        std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(argv[1])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "%s: the corpus folder is empty\n", argv[1]);
        return 2;
    }
    std::vector<std::string> corpus;
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    std::signal(SIGABRT, onFatalSignal);
    std::signal(SIGSEGV, onFatalSignal);
    for (std::size_t i = 0; i < corpus.size(); ++i) {
        const std::string name = files[i].filename().string();
        for (int mutation = 0; mutation <= kMutationsAFile; ++mutation) {
            std::snprintf(currentInput, sizeof currentInput, "input: %s, mutation %d\n", name.c_str(), mutation);
            std::string text = corpus[i];
            Random random(std::uint64_t{0x9E3779B97F4A7C15} * (static_cast<std::uint64_t>(mutation) + 1) + i);
            for (int step = 0; step < mutation && step < 1 + mutation % 6; ++step) mutate(text, corpus, random);
            run(text);
        }
    }
    std::printf("%zu files and %d mutations of each: no failure\n", corpus.size(), kMutationsAFile);
    return 0;
}
