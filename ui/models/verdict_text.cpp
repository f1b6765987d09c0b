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

/// By id.
constexpr std::array kWords{
    Words{"bimodal", QT_TRANSLATE_NOOP("VerdictText", "two groups of times"), QT_TRANSLATE_NOOP("VerdictText", "The times fall into two groups. The median may be in either one when it is measured again.")},
    Words{"clock.throttled", QT_TRANSLATE_NOOP("VerdictText", "clock lowered"), QT_TRANSLATE_NOOP("VerdictText", "The GPU lowered its clock for power or heat while this was measured. Let it cool down and run the pair again.")},
    Words{"drift", QT_TRANSLATE_NOOP("VerdictText", "times drift"), QT_TRANSLATE_NOOP("VerdictText", "Later calls took another time than earlier ones, also when the series was repeated.")},
    Words{"drift.repeated", QT_TRANSLATE_NOOP("VerdictText", "a series drifted"), QT_TRANSLATE_NOOP("VerdictText", "The times of a first series drifted, so all of its calls were made once more. The times that are stored are those of the last series.")},
    Words{"evaluator", QT_TRANSLATE_NOOP("VerdictText", "could not be judged"), QT_TRANSLATE_NOOP("VerdictText", "The rules of this definition can't be applied to what the solution gave.")},
    Words{"exception", QT_TRANSLATE_NOOP("VerdictText", "raised an error"), QT_TRANSLATE_NOOP("VerdictText", "A call ended with an error; the log has it.")},
    Words{"exit", QT_TRANSLATE_NOOP("VerdictText", "process ended"), QT_TRANSLATE_NOOP("VerdictText", "The process of the solution ended by itself before all calls were made.")},
    Words{"fixed_inputs", QT_TRANSLATE_NOOP("VerdictText", "inputs of the checked calls"), QT_TRANSLATE_NOOP("VerdictText", "The input function does not make the same of the same seed, so timed calls take their inputs from those of the checked calls.")},
    Words{"host_sync", QT_TRANSLATE_NOOP("VerdictText", "waits for the GPU"), QT_TRANSLATE_NOOP("VerdictText", "The solution waits for the GPU inside its call, so the call can't be measured behind a blocked stream.")},
    Words{"inputs.fixed", QT_TRANSLATE_NOOP("VerdictText", "inputs from files"), QT_TRANSLATE_NOOP("VerdictText", "Inputs that come from files are the same in every call. A solution could know them beforehand.")},
    Words{"inputs.mutated", QT_TRANSLATE_NOOP("VerdictText", "changed an input"), QT_TRANSLATE_NOOP("VerdictText", "The solution wrote to an input. Inputs are made anew before each call, so its results and times are valid.")},
    Words{"inputs.undeclared", QT_TRANSLATE_NOOP("VerdictText", "undeclared inputs"), QT_TRANSLATE_NOOP("VerdictText", "The input function made inputs that the definition does not declare.")},
    Words{"late.cpu", QT_TRANSLATE_NOOP("VerdictText", "computes although nothing is asked"), QT_TRANSLATE_NOOP("VerdictText", "The solution went on computing between or after the calls, in two processes. Work outside the measured time would make it look faster than it is.")},
    Words{"late.device", QT_TRANSLATE_NOOP("VerdictText", "GPU work after the end"), QT_TRANSLATE_NOOP("VerdictText", "Work of the solution was on the GPU although nothing was asked of it.")},
    Words{"late.queued", QT_TRANSLATE_NOOP("VerdictText", "own stream, not joined"), QT_TRANSLATE_NOOP("VerdictText", "The solution works on a stream of its own and does not join it with the one it is given. Its time is right, but a caller could read outputs too early.")},
    Words{"late.write", QT_TRANSLATE_NOOP("VerdictText", "wrote after the end"), QT_TRANSLATE_NOOP("VerdictText", "Outputs changed after the call had said that it was done, so part of its work was not in the measured time.")},
    Words{"limit", QT_TRANSLATE_NOOP("VerdictText", "used too much"), QT_TRANSLATE_NOOP("VerdictText", "The solution passed a limit of its process: processes, files or time.")},
    Words{"load", QT_TRANSLATE_NOOP("VerdictText", "could not be loaded"), QT_TRANSLATE_NOOP("VerdictText", "The solution's source could not be loaded; the log says why.")},
    Words{"machine.busy", QT_TRANSLATE_NOOP("VerdictText", "busy machine"), QT_TRANSLATE_NOOP("VerdictText", "Other programs held the processors while this was measured, so the times may be too long. Run it again on an idle machine.")},
    Words{"numerics.integers", QT_TRANSLATE_NOOP("VerdictText", "integers differ"), QT_TRANSLATE_NOOP("VerdictText", "Whole numbers differ from the reference's and pass by tolerance only. Run with strict numerics to refuse that.")},
    Words{"numerics.outliers", QT_TRANSLATE_NOOP("VerdictText", "outliers"), QT_TRANSLATE_NOOP("VerdictText", "Elements are more than ten times as far off as allowed, within the share that need not match.")},
    Words{"oom", QT_TRANSLATE_NOOP("VerdictText", "out of memory"), QT_TRANSLATE_NOOP("VerdictText", "The solution took more memory than there was for it.")},
    Words{"output.constant", QT_TRANSLATE_NOOP("VerdictText", "one value everywhere"), QT_TRANSLATE_NOOP("VerdictText", "The output has one value everywhere, near enough to a reference that has more than one.")},
    Words{"output.dtype", QT_TRANSLATE_NOOP("VerdictText", "wrong dtype"), QT_TRANSLATE_NOOP("VerdictText", "An output has another dtype than the reference's.")},
    Words{"output.nonfinite", QT_TRANSLATE_NOOP("VerdictText", "NaN or infinity"), QT_TRANSLATE_NOOP("VerdictText", "An output holds values that are not finite. The format refuses them even where the reference has some, too; strict numerics compare them.")},
    Words{"output.partial", QT_TRANSLATE_NOOP("VerdictText", "partly unwritten"), QT_TRANSLATE_NOOP("VerdictText", "Some elements of an output still hold what the judge had written there before the call.")},
    Words{"output.poisoned", QT_TRANSLATE_NOOP("VerdictText", "not written"), QT_TRANSLATE_NOOP("VerdictText", "An output holds nothing but what the judge had written there before the call. It was never written, or only after the call had ended.")},
    Words{"output.shape", QT_TRANSLATE_NOOP("VerdictText", "wrong shape"), QT_TRANSLATE_NOOP("VerdictText", "An output has another shape than the reference's.")},
    Words{"output.type", QT_TRANSLATE_NOOP("VerdictText", "unstable output"), QT_TRANSLATE_NOOP("VerdictText", "An output changes its shape or type from call to call, which can't be judged.")},
    Words{"output.wrong", QT_TRANSLATE_NOOP("VerdictText", "wrong values"), QT_TRANSLATE_NOOP("VerdictText", "An output is off by more than the tolerance in a call that was verified. When only timed calls are wrong, results of earlier calls may have been kept: every call has inputs of its own.")},
    Words{"physics", QT_TRANSLATE_NOOP("VerdictText", "faster than physics"), QT_TRANSLATE_NOOP("VerdictText", "The time is shorter than reading the inputs at the memory's highest rate, or computing at the processor's peak, would take. It was found in two processes.")},
    Words{"physics.near", QT_TRANSLATE_NOOP("VerdictText", "near the limit of physics"), QT_TRANSLATE_NOOP("VerdictText", "The time is shorter than all bytes and operations take at the highest rates. Caches may explain that.")},
    Words{"precision", QT_TRANSLATE_NOOP("VerdictText", "precision not reached"), QT_TRANSLATE_NOOP("VerdictText", "The median is not known as precisely as was asked for, within the calls and the time that there are.")},
    Words{"protocol", QT_TRANSLATE_NOOP("VerdictText", "forged or broken message"), QT_TRANSLATE_NOOP("VerdictText", "The solution's process sent the judge something that belongs nowhere, as one does who tries to report a result of its own.")},
    Words{"queued.wrong", QT_TRANSLATE_NOOP("VerdictText", "wrong when queued"), QT_TRANSLATE_NOOP("VerdictText", "Outputs are wrong when the call waits behind a blocked stream: the solution does not work on the stream that it is given.")},
    Words{"redzone", QT_TRANSLATE_NOOP("VerdictText", "wrote outside an output"), QT_TRANSLATE_NOOP("VerdictText", "Memory beside a tensor was written to. The error may be an index that is off by a little.")},
    Words{"reference.nonfinite", QT_TRANSLATE_NOOP("VerdictText", "reference not finite"), QT_TRANSLATE_NOOP("VerdictText", "The reference gives NaN or infinity here.")},
    Words{"reference.untimed", QT_TRANSLATE_NOOP("VerdictText", "reference not timed"), QT_TRANSLATE_NOOP("VerdictText", "The reference failed while it was timed, so there is no speedup.")},
    Words{"sampling.repeats", QT_TRANSLATE_NOOP("VerdictText", "always the same samples"), QT_TRANSLATE_NOOP("VerdictText", "All timed calls gave the same samples, which chance does not explain. The sampler may seed its generator anew in every call.")},
    Words{"sampling.rows", QT_TRANSLATE_NOOP("VerdictText", "fewer rows sampled"), QT_TRANSLATE_NOOP("VerdictText", "Fewer samples were drawn than the rules ask for.")},
    Words{"sampling.skewed", QT_TRANSLATE_NOOP("VerdictText", "skewed samples"), QT_TRANSLATE_NOOP("VerdictText", "The samples of the timed calls together can't have been drawn from the distribution.")},
    Words{"signal", QT_TRANSLATE_NOOP("VerdictText", "crashed"), QT_TRANSLATE_NOOP("VerdictText", "The process of the solution was ended by a signal, as after a stray pointer.")},
    Words{"threads", QT_TRANSLATE_NOOP("VerdictText", "left processes running"), QT_TRANSLATE_NOOP("VerdictText", "The solution left other processes running when its calls were made.")},
    Words{"time.ahead", QT_TRANSLATE_NOOP("VerdictText", "worked before the call"), QT_TRANSLATE_NOOP("VerdictText", "The solution computes from a call's inputs before the call begins, in two processes: calls whose inputs came at the last moment took more than twice as long.")},
    Words{"time.batched", QT_TRANSLATE_NOOP("VerdictText", "times of single calls"), QT_TRANSLATE_NOOP("VerdictText", "Calls that were prepared together were faster than single ones by more than can be explained. The times of the single calls are stored.")},
    Words{"time.claimed_only", QT_TRANSLATE_NOOP("VerdictText", "time not confirmed"), QT_TRANSLATE_NOOP("VerdictText", "How short the call is only the solution's own process says: it can't be measured behind a blocked stream, where the judge sees it.")},
    Words{"time.late_inputs", QT_TRANSLATE_NOOP("VerdictText", "times with late inputs"), QT_TRANSLATE_NOOP("VerdictText", "Calls whose inputs lay there when they were announced were faster than those whose inputs came at the last moment, by more than can be explained. The times of the latter are stored.")},
    Words{"time.no_activity", QT_TRANSLATE_NOOP("VerdictText", "no GPU work"), QT_TRANSLATE_NOOP("VerdictText", "The GPU did nothing in some calls. The judge's own time stands in, which is longer.")},
    Words{"time.unsupported", QT_TRANSLATE_NOOP("VerdictText", "claimed time not believed"), QT_TRANSLATE_NOOP("VerdictText", "The solution's process claims a time that the judge's clock contradicts. What the judge saw is stored.")},
    Words{"timeout", QT_TRANSLATE_NOOP("VerdictText", "time limit"), QT_TRANSLATE_NOOP("VerdictText", "The evaluation did not end within the time limit.")},
    Words{"timing.fallback", QT_TRANSLATE_NOOP("VerdictText", "timed by events"), QT_TRANSLATE_NOOP("VerdictText", "CUPTI could not be used, so CUDA events measured. Small kernels look some microseconds slower then.")},
    Words{"tolerance.misspelt", QT_TRANSLATE_NOOP("VerdictText", "misspelt tolerance"), QT_TRANSLATE_NOOP("VerdictText", "The workload has a tolerance under a misspelt key, which is ignored.")},
    Words{"tolerance.trivial", QT_TRANSLATE_NOOP("VerdictText", "zeros would pass"), QT_TRANSLATE_NOOP("VerdictText", "The expected outputs are so small that zeros everywhere would be within the tolerance: correctness says nothing about this workload.")},
    Words{"tolerance.unused", QT_TRANSLATE_NOOP("VerdictText", "tolerance not used"), QT_TRANSLATE_NOOP("VerdictText", "The workload has a tolerance that the evaluator of this definition does not use.")},
};

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
