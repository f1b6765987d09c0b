// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/build/cuda_toolkit.h"
#include "core/build/elf_symbols.h"
#include "core/build/native_builder.h"
#include "core/io/child_process.h"
#include "tests/support/native_build.h"

using namespace tracedeck;
using test::sourceFile;
namespace fs = std::filesystem;

namespace {

/// A kernel, its launch and an exported entry, without the slow headers.
constexpr const char* kKernel = R"(__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(void*, const void*, int, void*)
{
    twice<<<1, 32>>>(nullptr);
    return 0;
}
)";

/// An instruction that only sm_90a has.
constexpr const char* kHopperOnly = R"(__global__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }
extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(void*, const void*, int, void*)
{
    fence<<<1, 128>>>();
    return 0;
}
)";

constexpr const char* kReal = R"(#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
__global__ void scale(const float* x, float* y, int64_t n)
{
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(x.device().device_type, x.device().device_id));
    scale<<<static_cast<unsigned>((x.size(0) + 255) / 256), 256, 0, stream>>>(static_cast<const float*>(x.data_ptr()),
                                                                            static_cast<float*>(y.data_ptr()), x.size(0));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
)";

Solution cudaSolution(const std::string& source, const std::string& path = "kernel.cu")
{
    return test::nativeSolution(source, path, Language::Cuda);
}

}  // namespace

class TestCudaBuilder : public QObject {
    Q_OBJECT

    BuildOptions m_options;
    std::unique_ptr<QTemporaryDir> m_cache;

    std::variant<BuiltLibrary, BuildFailure> build(const Solution& what) const { return buildNative(what, m_options, {}); }

private slots:
    void initTestCase()
    {
        qunsetenv("TVM_FFI_CUDA_ARCH_LIST");
        if (const auto toolkit = findCudaToolkit(); !toolkit) QSKIP(toolkit.error().reason.c_str());
        if (const std::string obstacle = test::takePython(m_options); !obstacle.empty()) QSKIP(obstacle.c_str());
        m_options.computeCapability = "9.0";
    }

    void init()
    {
        m_cache = std::make_unique<QTemporaryDir>();
        m_options.cacheFolder = m_cache->path().toStdString();
    }

    void cleanup()
    {
        for (const char* name : {"CUDA_HOME", "CUDA_PATH", "TVM_FFI_CUDA_ARCH_LIST", "NVCC_APPEND_FLAGS"}) qunsetenv(name);
        QVERIFY(descendantsOf(::getpid()).empty());
    }

    void realKernelExportsItsEntryAndNeedsOnlyWhatItUses()
    {
        const auto result = build(cudaSolution(kReal));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(result),
                 std::get_if<BuildFailure>(&result) ? std::get<BuildFailure>(result).log.c_str() : "");
        const auto& built = std::get<BuiltLibrary>(result);
        const auto names = exportedSymbols(built.library);
        QVERIFY(names);
        QVERIFY(std::find(names->begin(), names->end(), "__tvm_ffi_run") != names->end());
        std::ifstream in(built.library, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        QVERIFY(bytes.find(".nv_fatbin") != std::string::npos);
        QVERIFY(bytes.find("libcudart.so") != std::string::npos);
        QVERIFY(bytes.find("libcublas.so") == std::string::npos);
    }

    void hostAndDeviceSourcesMakeOneLibrary()
    {
        for (const Language language : {Language::Cuda, Language::Cpp}) {
            Solution what = cudaSolution("__global__ void nothing() {}\nvoid launch() { nothing<<<1, 1>>>(); }\n", "gpu/kernel.cu");
            what.spec.language = language;
            what.sources.push_back(sourceFile("main.cpp", "#include \"gpu/launch.h\"\nextern \"C\" __attribute__((visibility(\"default\"))) int "
                                                          "__tvm_ffi_run(void*, const void*, int, void*) { launch(); return 0; }\n"));
            what.sources.push_back(sourceFile("gpu/launch.h", "void launch();\n"));
            const auto result = build(what);
            QVERIFY2(std::holds_alternative<BuiltLibrary>(result),
                     std::get_if<BuildFailure>(&result) ? std::get<BuildFailure>(result).log.c_str() : "");
        }
    }

    void theDevicesArchitectureIsTheOneWithItsOwnInstructions()
    {
        const auto own = build(cudaSolution(kHopperOnly));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(own),
                 std::get_if<BuildFailure>(&own) ? std::get<BuildFailure>(own).log.c_str() : "");
        qputenv("TVM_FFI_CUDA_ARCH_LIST", "9.0");   // taken at its word
        const auto plain = build(cudaSolution(kHopperOnly));
        QVERIFY(std::holds_alternative<BuildFailure>(plain));
        QCOMPARE(std::get<BuildFailure>(plain).code, ErrorCode::ProcessFailed);
        const QString log = QString::fromStdString(std::get<BuildFailure>(plain).log);
        QVERIFY2(log.contains("wgmma") && log.contains("compiling kernel.cu failed"), qPrintable(log));
    }

    void architecturesAreInTheKey()
    {
        std::set<fs::path> libraries;
        const Solution what = cudaSolution(kKernel);
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        QVERIFY(std::get<BuiltLibrary>(build(what)).fromCache);
        m_options.computeCapability = "8.0";
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        m_options.computeCapability = "9.0";
        qputenv("TVM_FFI_CUDA_ARCH_LIST", "8.0 9.0a");
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        qunsetenv("TVM_FFI_CUDA_ARCH_LIST");
        qputenv("NVCC_APPEND_FLAGS", "-DNDEBUG");
        libraries.insert(std::get<BuiltLibrary>(build(what)).library);
        qunsetenv("NVCC_APPEND_FLAGS");
        Solution returning = what;
        returning.spec.destinationPassingStyle = false;
        libraries.insert(std::get<BuiltLibrary>(build(returning)).library);
        QCOMPARE(libraries.size(), std::size_t{5});
    }

    void hostCodeAloneDoesNotDependOnTheArchitecture()
    {
        const Solution what = test::nativeSolution(
            "extern \"C\" __attribute__((visibility(\"default\"))) int __tvm_ffi_run(void*, const void*, int, void*) { return 0; }\n");
        const auto first = std::get<BuiltLibrary>(build(what));
        m_options.computeCapability = "";
        const auto second = std::get<BuiltLibrary>(build(what));
        m_options.computeCapability = "9.0";
        QVERIFY(second.fromCache);
        QCOMPARE(second.library, first.library);
    }

    void errorsAreCompleteAndNameTheLine()
    {
        std::string many = "__global__ void kernel() {\n";
        for (int index = 0; index < 40; ++index) many += "    undeclared" + std::to_string(index) + "();\n";
        const auto result = build(cudaSolution(many + "}\n", "gpu/bad.cu"));
        QVERIFY(std::holds_alternative<BuildFailure>(result));
        const auto& failure = std::get<BuildFailure>(result);
        QCOMPARE(failure.code, ErrorCode::ProcessFailed);
        const QString log = QString::fromStdString(failure.log);
        QVERIFY2(log.contains("gpu/bad.cu(2): error"), qPrintable(log));
        QVERIFY2(log.contains("gpu/bad.cu(41): error"), qPrintable(log));
        QVERIFY2(log.contains("compiling gpu/bad.cu failed"), qPrintable(log));
        QVERIFY2(!log.contains(m_cache->path()), qPrintable(log));
    }

    void hostileNamesRunNothing_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* path : {"$(touch pwned).cu", "`touch pwned`.cu", "a\";touch pwned;\".cu", "a\ntouch pwned\n.cu", "a;touch pwned.cu", "a\\b.cu"})
            QTest::newRow(path) << path;
    }
    void hostileNamesRunNothing()
    {
        QFETCH(QString, path);
        const auto result = build(cudaSolution(kKernel, path.toStdString()));
        QVERIFY(std::holds_alternative<BuildFailure>(result));
        QCOMPARE(std::get<BuildFailure>(result).code, ErrorCode::InvalidInput);
        QVERIFY(std::get<BuildFailure>(result).log.find("rename it") != std::string::npos);
        QVERIFY(!fs::exists(m_options.cacheFolder / "native") || fs::is_empty(m_options.cacheFolder / "native"));
    }

    void namesThatLookLikeOptionsOrHaveBlanksStayNames_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* path : {"--dryrun.cu", "-ptx.cu", "@options.cu", "two words.cu"}) QTest::newRow(path) << path;
    }
    void namesThatLookLikeOptionsOrHaveBlanksStayNames()
    {
        QFETCH(QString, path);
        const auto result = build(cudaSolution(kKernel, path.toStdString()));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(result),
                 std::get_if<BuildFailure>(&result) ? std::get<BuildFailure>(result).log.c_str() : "");
    }

    void missingToolkitIsNotTheSolutionsFault()
    {
        for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
            qputenv(name, "/nonexistent");
            const auto result = build(cudaSolution(kKernel));
            qunsetenv(name);
            QCOMPARE(std::get<BuildFailure>(result).code, ErrorCode::Unsupported);
            const std::string& log = std::get<BuildFailure>(result).log;
            QVERIFY2(log.starts_with(std::string("nvcc was not found: ") + name + "=/nonexistent"), log.c_str());
        }
    }

    void withoutDeviceTheArchitectureMustBeNamed()
    {
        m_options.computeCapability = "";
        const auto unknown = build(cudaSolution(kKernel));
        m_options.computeCapability = "9.0";
        QCOMPARE(std::get<BuildFailure>(unknown).code, ErrorCode::Unsupported);
        QVERIFY(std::get<BuildFailure>(unknown).log.find("TVM_FFI_CUDA_ARCH_LIST") != std::string::npos);
    }

    void architectureFlagsSayWhatIsMeant_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("capability");
        QTest::addColumn<QString>("flags");   // empty: an error
        QTest::newRow("hopper") << "" << "9.0" << "-gencode=arch=compute_90a,code=sm_90a";
        QTest::newRow("blackwell") << "" << "10.3" << "-gencode=arch=compute_103a,code=sm_103a";
        QTest::newRow("ampere has no variant") << "" << "8.6" << "-gencode=arch=compute_86,code=sm_86";
        QTest::newRow("list wins") << "9.0a 10.0f" << "8.0" << "-gencode=arch=compute_90a,code=sm_90a -gencode=arch=compute_100f,code=sm_100f";
        QTest::newRow("list as PyTorch writes it") << "8.0;9.0+PTX" << "" << "-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_90,code=compute_90";
        QTest::newRow("blank list") << "  " << "8.0" << "-gencode=arch=compute_80,code=sm_80";
        for (const char* bad : {"9", "9.", ".0", "9.0x", "9.0aa", "-9.0", "9.0,8.0", "+PTX", "9.0 rm", "900.0", "9.00", "$(id)"})
            QTest::newRow(bad) << bad << "9.0" << "";
        QTest::newRow("nothing known") << "" << "" << "";
        QTest::newRow("bad capability") << "" << "nine" << "";
    }
    void architectureFlagsSayWhatIsMeant()
    {
        QFETCH(QString, list);
        QFETCH(QString, capability);
        QFETCH(QString, flags);
        const auto result = [&] {
            qputenv("TVM_FFI_CUDA_ARCH_LIST", list.toUtf8());
            return architectureFlags("TVM_FFI_CUDA_ARCH_LIST", capability.toStdString());
        }();
        QCOMPARE(bool(result), !flags.isEmpty());
        if (!result) return;
        QStringList given;
        for (const auto& flag : *result) given << QString::fromStdString(flag);
        QCOMPARE(given.join(' '), flags);
    }
};

QTEST_GUILESS_MAIN(TestCudaBuilder)
#include "test_cuda_builder.moc"
