// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "core/io/json_codec.h"
#include "core/judge/kernel_store.h"

using namespace tracedeck;
using namespace tracedeck::judge;
namespace fs = std::filesystem;

namespace {

Solution solutionNamed(const std::string& name, const std::string& source)
{
    Solution solution;
    solution.name = name;
    solution.definition = "double";
    solution.sources = {{"main.py", source}};
    return solution;
}

void write(const fs::path& path, const std::string& contents)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << contents;
}

std::string contentsOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

class TestKernelStore : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aSolutionHasAFolderOfItsContents();
    void entriesAreCopiedOnceAndWhole();
    void whatIsNoEntryIsLeftOut_data();
    void whatIsNoEntryIsLeftOut();
    void aFolderIsBounded();
    void aGuestTakesWhatIsWhole();

private:
    QTemporaryDir m_folder;
    fs::path m_cache;
    fs::path m_kept;
    int m_run = 0;
};

void TestKernelStore::init()
{
    const fs::path root = fs::path(m_folder.path().toStdString()) / std::to_string(m_run++);
    m_cache = root / "cache";
    m_kept = root / "kept";
    fs::create_directories(m_cache);
}

void TestKernelStore::aSolutionHasAFolderOfItsContents()
{
    const KernelStore store("/kernels");
    const fs::path folder = store.folderOf(solutionNamed("one", "def run(): ..."));
    QVERIFY(folder.string().starts_with("/kernels/"));
    QCOMPARE(store.folderOf(solutionNamed("renamed", "def run(): ...")), folder);
    QVERIFY(store.folderOf(solutionNamed("one", "def run(): pass")) != folder);
    // Where one part of a solution ends and the next begins counts, too.
    Solution shifted = solutionNamed("one", "ef run(): ...");
    shifted.sources.front().path = "main.pyd";
    QVERIFY(store.folderOf(shifted) != folder);
    QVERIFY(KernelStore({}).folderOf(shifted).empty());
}

void TestKernelStore::entriesAreCopiedOnceAndWhole()
{
    const KernelStore store(m_kept);
    const fs::path folder = m_kept / "solution";
    write(m_cache / "AB12" / "kernel.cubin", std::string("\0binary", 7));
    write(m_cache / "AB12" / "__grp__kernel.json", R"({"child_paths":{}})");
    store.add(m_cache, folder);
    QCOMPARE(contentsOf(folder / "AB12" / "kernel.cubin"), std::string("\0binary", 7));
    const Json sums = Json::parse(contentsOf(folder / "AB12" / kKernelSumsName));
    QCOMPARE(sums.at("files").size(), std::size_t{2});
    // What is kept stays as it is; what is new is added.
    write(m_cache / "AB12" / "kernel.cubin", "another");
    write(m_cache / "CD34" / "kernel.cubin", "second");
    store.add(m_cache, folder);
    QCOMPARE(contentsOf(folder / "AB12" / "kernel.cubin"), std::string("\0binary", 7));
    QCOMPARE(contentsOf(folder / "CD34" / "kernel.cubin"), std::string("second"));
    QCOMPARE(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}), std::ptrdiff_t{2});
    store.add(m_cache, {});
    store.add(m_cache / "nowhere", folder);
}

void TestKernelStore::whatIsNoEntryIsLeftOut_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"link to a file", "link to a folder", "pipe", "folder in a folder", "too many files", "hidden", "odd name", "empty", "forged sums"}) {
        QTest::newRow(kind) << kind;
    }
}

void TestKernelStore::whatIsNoEntryIsLeftOut()
{
    QFETCH(QString, kind);
    write(m_cache / "good" / "kernel.cubin", "good");
    const fs::path secret = m_cache.parent_path() / "secret";
    write(secret / "file", "secret");
    if (kind == "link to a file") {
        fs::create_directories(m_cache / "bad");
        fs::create_symlink(secret / "file", m_cache / "bad" / "file");
    } else if (kind == "link to a folder") {
        fs::create_directory_symlink(secret, m_cache / "bad");
    } else if (kind == "pipe") {
        fs::create_directories(m_cache / "bad");
        QCOMPARE(::mkfifo((m_cache / "bad" / "file").c_str(), 0600), 0);
    } else if (kind == "folder in a folder") {
        write(m_cache / "bad" / "inner" / "file", "x");
    } else if (kind == "too many files") {
        for (int i = 0; i < 65; ++i) write(m_cache / "bad" / std::to_string(i), "x");
    } else if (kind == "hidden") {
        write(m_cache / ".bad" / "file", "x");
    } else if (kind == "odd name") {
        write(m_cache / "ba d" / "file", "x");
    } else if (kind == "empty") {
        fs::create_directories(m_cache / "bad");
    } else {
        write(m_cache / "bad" / kKernelSumsName, "{}");
    }
    KernelStore(m_kept).add(m_cache, m_kept / "solution");
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_kept / "solution")) names.push_back(entry.path().filename());
    QCOMPARE(names, std::vector<std::string>{"good"});
}

void TestKernelStore::aFolderIsBounded()
{
    const KernelStore store(m_kept);
    const fs::path folder = m_kept / "solution";
    const auto count = [&folder] { return std::distance(fs::directory_iterator(folder), fs::directory_iterator{}); };
    for (int i = 0; i < 200; ++i) write(m_cache / ("first" + std::to_string(i)) / "kernel", "x");
    store.add(m_cache, folder);
    QCOMPARE(count(), std::ptrdiff_t{200});
    for (int i = 0; i < 200; ++i) write(m_cache / ("second" + std::to_string(i)) / "kernel", "x");
    store.add(m_cache, folder);
    QCOMPARE(count(), static_cast<std::ptrdiff_t>(kMostKernelEntries));
    store.add(m_cache, folder);
    QCOMPARE(count(), static_cast<std::ptrdiff_t>(kMostKernelEntries));
}

void TestKernelStore::aGuestTakesWhatIsWhole()
{
    const KernelStore store(m_kept);
    const fs::path folder = m_kept / "solution";
    write(m_cache / "whole" / "kernel.json", "kernel");
    write(m_cache / "whole" / "__grp__kernel.json", R"({"child_paths":{"kernel.json":"/gone/whole/kernel.json"}})");
    write(m_cache / "damaged" / "kernel.json", "kernel");
    write(m_cache / "without" / "kernel.json", "kernel");
    write(m_cache / "deep" / "__grp__kernel.json", std::string(200'000, '['));
    write(m_cache / "wrong" / "__grp__kernel.json", R"({"child_paths":[1]})");
    store.add(m_cache, folder);
    write(folder / "damaged" / "kernel.json", "kerne");
    fs::remove(folder / "without" / kKernelSumsName);
    write(folder / "building-x" / "kernel.json", "kernel");
    const fs::path target = m_kept / "target";
    fs::create_directories(target);
    // The guest's functions, without its start.
    const std::string script = "import sys\nTRACEDECK_SOLO = True\nexec(compile(open(sys.argv[1]).read(), 'guest', 'exec'), globals())\n"
                               "take_kernels(sys.argv[2], sys.argv[3])\ntake_kernels(sys.argv[2] + '/nowhere', sys.argv[3])\n";
    QProcess python;
    python.start("python3", {"-c", QString::fromStdString(script), TRACEDECK_SOURCE_DIR "/core/guest/tracedeck_guest.py",
                                         QString::fromStdString(folder.string()), QString::fromStdString(target.string())});
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError());
    QCOMPARE(std::distance(fs::directory_iterator(target), fs::directory_iterator{}), std::ptrdiff_t{1});
    QCOMPARE(contentsOf(target / "whole" / "kernel.json"), std::string("kernel"));
    const Json group = Json::parse(contentsOf(target / "whole" / "__grp__kernel.json"));
    QCOMPARE(group.at("child_paths").at("kernel.json").get<std::string>(), (target / "whole" / "kernel.json").string());
}

QTEST_GUILESS_MAIN(TestKernelStore)
#include "test_kernel_store.moc"
