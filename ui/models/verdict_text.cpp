// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/verdict_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <string_view>

namespace tracedeck::ui {
namespace {

struct Words {
    std::string_view id;
    const char* title;
    const char* explanation;
};

/// By id; `QT_TRANSLATE_NOOP` marks them for translation.
#define TEXT(text) QT_TRANSLATE_NOOP("VerdictText", text)
constexpr std::array kWords{
    Words{"bimodal", TEXT("two groups of times"), TEXT("The times fall into two groups. The median may be in either one when it is measured again.")},
    Words{"clock.throttled", TEXT("clock lowered"), TEXT("The GPU lowered its clock for power or heat while this was measured. Let it cool down and run the pair again.")},
    Words{"drift", TEXT("times drift"), TEXT("Later calls took another time than earlier ones, also when the series was repeated.")},
    Words{"drift.repeated", TEXT("a series drifted"), TEXT("The times of a first series drifted, so all of its calls were made once more. The times that are stored are those of the last series.")},
    Words{"evaluator", TEXT("could not be judged"), TEXT("The rules of this definition can't be applied to what the solution gave.")},
    Words{"exception", TEXT("raised an error"), TEXT("A call ended with an error; the log has it.")},
    Words{"exit", TEXT("process ended"), TEXT("The process of the solution ended by itself before all calls were made.")},
    Words{"fixed_inputs", TEXT("inputs from files"), TEXT("Inputs that come from files are the same in every call. A solution could know them beforehand.")},
    Words{"host_sync", TEXT("waits for the GPU"), TEXT("The solution waits for the GPU inside its call, so the call can't be measured behind a blocked stream.")},
    Words{"inputs.mutated", TEXT("changed an input"), TEXT("The solution wrote to an input. Inputs are made anew before each call, so its results and times are valid.")},
    Words{"inputs.undeclared", TEXT("undeclared inputs"), TEXT("The input function made inputs that the definition does not declare.")},
    Words{"late.cpu", TEXT("computes although nothing is asked"), TEXT("The solution went on computing between or after the calls, in two processes. Work outside the measured time would make it look faster than it is.")},
    Words{"late.device", TEXT("GPU work after the end"), TEXT("Work of the solution was on the GPU although nothing was asked of it.")},
    Words{"late.queued", TEXT("own stream, not joined"), TEXT("The solution works on a stream of its own and does not join it with the one it is given. Its time is right, but a caller could read outputs too early.")},
    Words{"late.write", TEXT("wrote after the end"), TEXT("Outputs changed after the call had said that it was done, so part of its work was not in the measured time.")},
    Words{"limit", TEXT("used too much"), TEXT("The solution passed a limit of its process: processes, files or time.")},
    Words{"load", TEXT("could not be loaded"), TEXT("The solution's source could not be loaded; the log says why.")},
    Words{"numerics.integers", TEXT("integers differ"), TEXT("Whole numbers differ from the reference's and pass by tolerance only. Run with strict numerics to refuse that.")},
    Words{"numerics.outliers", TEXT("outliers"), TEXT("Elements are more than ten times as far off as allowed, within the share that need not match.")},
    Words{"oom", TEXT("out of memory"), TEXT("The solution took more memory than there was for it.")},
    Words{"output.constant", TEXT("one value everywhere"), TEXT("The output has one value everywhere, near enough to a reference that has more than one.")},
    Words{"output.dtype", TEXT("wrong dtype"), TEXT("An output has another dtype than the reference's.")},
    Words{"output.nonfinite", TEXT("NaN or infinity"), TEXT("An output holds values that are not finite where the reference's are.")},
    Words{"output.partial", TEXT("partly unwritten"), TEXT("Some elements of an output still hold what the judge had written there before the call.")},
    Words{"output.poisoned", TEXT("not written"), TEXT("An output holds nothing but what the judge had written there before the call. It was never written, or only after the call had ended.")},
    Words{"output.shape", TEXT("wrong shape"), TEXT("An output has another shape than the reference's.")},
    Words{"output.type", TEXT("unstable output"), TEXT("An output changes its shape or type from call to call, which can't be judged.")},
    Words{"output.wrong", TEXT("wrong values"), TEXT("An output is off by more than the tolerance in a call that was verified. When only timed calls are wrong, results of earlier calls may have been kept: every call has inputs of its own.")},
    Words{"physics", TEXT("faster than physics"), TEXT("The time is shorter than reading the inputs at the memory's highest rate, or computing at the processor's peak, would take. It was found in two processes.")},
    Words{"physics.near", TEXT("near the limit of physics"), TEXT("The time is shorter than all bytes and operations take at the highest rates. Caches may explain that.")},
    Words{"precision", TEXT("precision not reached"), TEXT("The median is not known as precisely as was asked for, within the calls and the time that there are.")},
    Words{"protocol", TEXT("forged or broken message"), TEXT("The solution's process sent the judge something that belongs nowhere, as one does who tries to report a result of its own.")},
    Words{"queued.wrong", TEXT("wrong when queued"), TEXT("Outputs are wrong when the call waits behind a blocked stream: the solution does not work on the stream that it is given.")},
    Words{"redzone", TEXT("wrote outside an output"), TEXT("Memory beside a tensor was written to. The error may be an index that is off by a little.")},
    Words{"reference.nonfinite", TEXT("reference not finite"), TEXT("The reference gives NaN or infinity here.")},
    Words{"reference.untimed", TEXT("reference not timed"), TEXT("The reference failed while it was timed, so there is no speedup.")},
    Words{"sampling.repeats", TEXT("always the same samples"), TEXT("All timed calls gave the same samples, which chance does not explain. The sampler may seed its generator anew in every call.")},
    Words{"sampling.rows", TEXT("fewer rows sampled"), TEXT("Fewer samples were drawn than the rules ask for.")},
    Words{"sampling.skewed", TEXT("skewed samples"), TEXT("The samples of the timed calls together can't have been drawn from the distribution.")},
    Words{"signal", TEXT("crashed"), TEXT("The process of the solution was ended by a signal, as after a stray pointer.")},
    Words{"threads", TEXT("left processes running"), TEXT("The solution left other processes running when its calls were made.")},
    Words{"time.batched", TEXT("times of single calls"), TEXT("Calls that were prepared together were faster than single ones by more than can be explained. The times of the single calls are stored.")},
    Words{"time.claimed_only", TEXT("time not confirmed"), TEXT("How short the call is only the solution's own process says: it can't be measured behind a blocked stream, where the judge sees it.")},
    Words{"time.no_activity", TEXT("no GPU work"), TEXT("The GPU did nothing in some calls. The judge's own time stands in, which is longer.")},
    Words{"time.unsupported", TEXT("claimed time not believed"), TEXT("The solution's process claims a time that the judge's clock contradicts. What the judge saw is stored.")},
    Words{"timeout", TEXT("time limit"), TEXT("The evaluation did not end within the time limit.")},
    Words{"timing.fallback", TEXT("timed by events"), TEXT("CUPTI could not be used, so CUDA events measured. Small kernels look some microseconds slower then.")},
    Words{"tolerance.misspelt", TEXT("misspelt tolerance"), TEXT("The workload has a tolerance under a misspelt key, which is ignored.")},
    Words{"tolerance.unused", TEXT("tolerance not used"), TEXT("The workload has a tolerance that the evaluator of this definition does not use.")},
};
#undef TEXT

}  // namespace

VerdictText verdictText(const JudgeVerdict& verdict)
{
    VerdictText text;
    text.symbol = breaksRules(verdict) ? QStringLiteral("⚑") : verdict.level == "reject" ? QStringLiteral("!") : verdict.level == "warn" ? QStringLiteral("⚠") : QStringLiteral("i");
    const auto* words = std::ranges::find(kWords, std::string_view(verdict.id), &Words::id);
    if (words == kWords.end()) {
        text.title = QString::fromStdString(verdict.id);
        return text;
    }
    text.title = QCoreApplication::translate("VerdictText", words->title);
    text.explanation = QCoreApplication::translate("VerdictText", words->explanation);
    return text;
}

}  // namespace tracedeck::ui
