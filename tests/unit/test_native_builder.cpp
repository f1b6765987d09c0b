// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "core/build/elf_symbols.h"
#include "core/build/native_builder.h"
#include "core/io/child_process.h"
#include "tests/support/native_build.h"

using namespace tracedeck;
using test::sourceFile;
namespace fs = std::filesystem;

namespace {

constexpr const char* kGood = R"(#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
void add(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    for (int64_t i = 0; i < x.size(0); ++i) static_cast<float*>(y.data_ptr())[i] = static_cast<float*>(x.data_ptr())[i] + 1;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, add);
)";

/// Exports the symbol without the slow headers.
constexpr const char* kQuick = "extern \"C\" __attribute__((visibility(\"default\"))) int __tvm_ffi_run(void*, const "
                               "void*, int, void*) { return 0; }\n";

Solution solution(const std::string& source, const std::string& path = "main.cpp")
{
    return test::nativeSolution(source, path);
}

}  // namespace

class TestNativeBuilder : public QObject {
    Q_OBJECT

    BuildOptions m_options;
    std::unique_ptr<QTemporaryDir> m_cache;

    std::variant<BuiltLibrary, BuildFailure> build(const Solution& what, std::stop_token stop = {}) const
    {
        return buildNative(what, m_options, std::move(stop));
    }
    /// Folders of builds in progress that are still there.
    [[nodiscard]] int leftOvers() const
    {
        int count = 0;
        if (!fs::exists(m_options.cacheFolder / "native")) return 0;
        for (const auto& entry : fs::directory_iterator(m_options.cacheFolder / "native"))
            count += entry.path().filename().string().starts_with("building-");
        return count;
    }

private slots:
    void initTestCase()
    {
        if (const std::string obstacle = test::takePython(m_options); !obstacle.empty()) QSKIP(obstacle.c_str());
    }

    void init()
    {
        m_cache = std::make_unique<QTemporaryDir>();
        m_options.cacheFolder = m_cache->path().toStdString();
    }

    void cleanup()
    {
        QCOMPARE(leftOvers(), 0);
        QVERIFY(descendantsOf(::getpid()).empty());
    }

    void realSolutionExportsItsEntry()
    {
        const auto first = build(solution(kGood));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(first),
                 std::get_if<BuildFailure>(&first) ? std::get<BuildFailure>(first).log.c_str() : "");
        const auto& built = std::get<BuiltLibrary>(first);
        QCOMPARE(built.symbol, std::string("__tvm_ffi_run"));
        QVERIFY(!built.fromCache);
        QVERIFY(fs::is_regular_file(built.library));
        const auto names = exportedSymbols(built.library);
        QVERIFY(names);
        QVERIFY(std::find(names->begin(), names->end(), built.symbol) != names->end());
        QVERIFY(std::find(names->begin(), names->end(), "TVMFFIErrorSetRaised") ==
                names->end());   // undefined ones are not exports
    }

    void sameContentComesFromTheCacheWithItsLog()
    {
        const auto what = solution(std::string("#warning \"mind the gap\"\n") + kQuick);
        const auto first = std::get<BuiltLibrary>(build(what));
        QVERIFY(first.log.find("main.cpp:1") != std::string::npos);
        QVERIFY(first.log.find("mind the gap") != std::string::npos);
        Solution renamed = what;
        renamed.name = "another";
        renamed.author = "bob";
        const auto second = std::get<BuiltLibrary>(build(renamed));
        QVERIFY(second.fromCache);
        QCOMPARE(second.library, first.library);
        QCOMPARE(second.log, first.log);
    }

    void everyPartOfTheContentChangesTheKey()
    {
        std::set<fs::path> libraries;
        Solution what = solution(kQuick);
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        what.spec.destinationPassingStyle = false;
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        what.sources.push_back(sourceFile("more.h", "int x;\n"));
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        what.sources.back().content = "int y;\n";
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        what.sources.back().path = "less.h";
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        what.spec.dependencies = {"cutlass"};
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        qputenv("CXX", "g++ -DNDEBUG");
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        qunsetenv("CXX");
        QCOMPARE(libraries.size(), std::size_t{7});
    }

    void severalFilesAndFoldersAndC()
    {
        Solution what = solution(
            "#include \"sub/twice.h\"\n#include <part.h>\nextern \"C\" __attribute__((visibility(\"default\"))) int "
            "__tvm_ffi_run(void*, const void*, int, void*) { return twice(PART) + plain(1); }\n",
            "sub/main.cc");
        what.sources.push_back(sourceFile("sub/twice.h", "int twice(int);\nextern \"C\" int plain(int);\n"));
        what.sources.push_back(sourceFile("twice.cxx", "int twice(int x) { return 2 * x; }\n"));
        what.sources.push_back(sourceFile("plain.c", "int plain(int new) { return new; }\n"));   // valid C only
        what.sources.push_back(sourceFile("part.h", "#define PART 3\n"));
        what.sources.push_back(sourceFile("README.md", "not compiled"));
        const auto result = build(what);
        QVERIFY2(std::holds_alternative<BuiltLibrary>(result),
                 std::get_if<BuildFailure>(&result) ? std::get<BuildFailure>(result).log.c_str() : "");
    }

    void failuresSayWhatIsWrong_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("phrases");
        QTest::newRow("syntax error with file and line")
            << "int f() {\n    return nonsense;\n}\n"
            << QStringList{"main.cpp:2", "nonsense", "compiling main.cpp failed"};
        QTest::newRow("entry not exported") << "int f() { return 0; }\n"
                                            << QStringList{"__tvm_ffi_run", "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run)"};
        QTest::newRow("another entry exported") << "extern \"C\" __attribute__((visibility(\"default\"))) int "
                                                   "__tvm_ffi_walk(void*, const void*, int, void*) { return 0; }\n"
                                                << QStringList{"__tvm_ffi_run", "It exports: walk."};
        QTest::newRow("entry hidden") << "extern \"C\" __attribute__((visibility(\"hidden\"))) int "
                                         "__tvm_ffi_run(void*, const void*, int, void*) { return 0; }\n"
                                      << QStringList{"does not export __tvm_ffi_run"};
        QTest::newRow("unresolved symbol") << QString("int missing();\nint also() { return missing(); }\n") + kQuick
                                           << QStringList{"missing()", "linking failed"};
        QTest::newRow("missing header") << "#include <no/such/header.h>\n"
                                        << QStringList{"no/such/header.h", "main.cpp:1"};
    }
    void failuresSayWhatIsWrong()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, phrases);
        const auto result = build(solution(source.toStdString()));
        QVERIFY(std::holds_alternative<BuildFailure>(result));
        const auto& failure = std::get<BuildFailure>(result);
        QCOMPARE(failure.code, ErrorCode::ProcessFailed);
        const QString log = QString::fromStdString(failure.log);
        for (const auto& phrase : phrases) QVERIFY2(log.contains(phrase), qPrintable(log));
        QVERIFY2(!log.contains(m_cache->path()), qPrintable(log));
    }

    void pathsThatLeaveTheFolderAreRefused_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("parent") << "../evil.h";
        QTest::newRow("parent inside") << "a/../../evil.h";
        QTest::newRow("absolute") << "/tmp/evil.h";
        QTest::newRow("parent, other separator") << "..\\evil.h";
        QTest::newRow("drive") << "C:\\evil.h";
    }
    void pathsThatLeaveTheFolderAreRefused()
    {
        QFETCH(QString, path);
        Solution what = solution(kQuick);
        what.sources.push_back(sourceFile(path.toStdString(), "x"));
        const auto result = build(what);
        QVERIFY(std::holds_alternative<BuildFailure>(result));
        QCOMPARE(std::get<BuildFailure>(result).code, ErrorCode::InvalidInput);
        QVERIFY(std::get<BuildFailure>(result).log.find("would leave the build folder") != std::string::npos);
        QVERIFY(!fs::exists(m_cache->path().toStdString() + "/native/evil.h"));
    }

    void namesThatLookLikeOptionsStayNames()
    {
        const auto result = build(solution(kQuick, "-fsyntax-only.cpp"));
        QVERIFY(std::holds_alternative<BuiltLibrary>(result));
    }

    void clashingPathsFail()
    {
        Solution what = solution(kQuick);
        what.sources.push_back(sourceFile("main.cpp/x.h", "x"));
        QCOMPARE(std::get<BuildFailure>(build(what)).code, ErrorCode::InvalidInput);
    }

    void otherLanguagesAreUnsupported()
    {
        Solution what = solution(kQuick);
        what.spec.language = Language::Triton;
        QCOMPARE(std::get<BuildFailure>(build(what)).code, ErrorCode::Unsupported);
        QVERIFY(std::get<BuildFailure>(build(what)).log.find("triton") != std::string::npos);
    }

    void missingToolsAreNotTheSolutionsFault()
    {
        qputenv("CXX", "/nonexistent/compiler");
        const auto noCompiler = build(solution(kQuick));
        qunsetenv("CXX");
        QCOMPARE(std::get<BuildFailure>(noCompiler).code, ErrorCode::Unsupported);
        QVERIFY(std::get<BuildFailure>(noCompiler).log.find("/nonexistent/compiler") != std::string::npos);
        BuildOptions options = m_options;
        options.tvmFfiLibrary.clear();
        const auto noFfi = buildNative(solution(kQuick), options, {});
        QCOMPARE(std::get<BuildFailure>(noFfi).code, ErrorCode::Unsupported);
        QVERIFY(std::get<BuildFailure>(noFfi).log.find("guest-env.sh") != std::string::npos);
        options = m_options;
        options.cacheFolder = "/proc/nowhere";
        QCOMPARE(std::get<BuildFailure>(buildNative(solution(kQuick), options, {})).code, ErrorCode::Io);
    }

    void slowCompilationIsKilled()
    {
        BuildOptions options = m_options;
        options.timeoutSeconds = 2;
        // Two to the power of 40 instantiations.
        const auto result = buildNative(
            solution("template <int N, int M> struct T { static const int v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + "
                     "1>::v; };\n"
                     "template <int M> struct T<0, M> { static const int v = M; };\nint x = T<40, 1>::v;\n"),
            options, {});
        QCOMPARE(std::get<BuildFailure>(result).code, ErrorCode::TimedOut);
        QVERIFY(std::get<BuildFailure>(result).log.find("longer than 2 s") != std::string::npos);
    }

    void stopCancels()
    {
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(std::get<BuildFailure>(build(solution(kGood), stop.get_token())).code, ErrorCode::Cancelled);
    }

    void concurrentBuildersShareOneResult()
    {
        std::vector<std::variant<BuiltLibrary, BuildFailure>> results(4, BuildFailure{});
        {
            std::vector<std::jthread> threads;
            for (auto& result : results) threads.emplace_back([this, &result] { result = build(solution(kQuick)); });
        }
        std::set<fs::path> libraries;
        for (const auto& result : results) {
            const auto* failure = std::get_if<BuildFailure>(&result);
            QVERIFY2(failure == nullptr, failure == nullptr ? "" : failure->log.c_str());
            libraries.insert(std::get<BuiltLibrary>(result).library);
        }
        QCOMPARE(libraries.size(), std::size_t{1});
    }

    void damagedCacheEntryIsReplaced()
    {
        const auto first = std::get<BuiltLibrary>(build(solution(kQuick)));
        std::ofstream(first.library, std::ios::trunc) << "half";
        const auto second = std::get<BuiltLibrary>(build(solution(kQuick)));
        QVERIFY(!second.fromCache);
        QVERIFY(exportedSymbols(second.library));
    }

    void brokenLibrariesAreErrorsNotCrashes()
    {
        const auto good = std::get<BuiltLibrary>(build(solution(kQuick)));
        std::ifstream in(good.library, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        const std::string path = m_cache->path().toStdString() + "/mutant.so";
        int refused = 0;
        for (std::size_t cut = 0; cut < bytes.size(); cut += 97) {
            std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes.substr(0, cut);
            if (!exportedSymbols(path)) ++refused;
        }
        QCOMPARE(static_cast<std::size_t>(refused), (bytes.size() + 96) / 97);   // the section headers lie at the end
        for (std::size_t place = 0; place < bytes.size(); place += 13) {
            std::string mutant = bytes;
            mutant[place] = static_cast<char>(~mutant[place]);
            std::ofstream(path, std::ios::binary | std::ios::trunc) << mutant;
            const auto names = exportedSymbols(path);
            QVERIFY(!names || names->size() < bytes.size());
        }
        QVERIFY(!exportedSymbols("/nonexistent.so"));
    }
};

QTEST_GUILESS_MAIN(TestNativeBuilder)
#include "test_native_builder.moc"
