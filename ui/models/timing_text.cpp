// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timing_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/models/number_format.h"

namespace tracedeck::ui {
namespace {

QString methodText(TimingMethod method)
{
    switch (method) {
    case TimingMethod::Unknown: return QCoreApplication::translate("Timing", "unknown (measured by another program)");
    case TimingMethod::Judge: return QCoreApplication::translate("Timing", "the judge's clock");
    case TimingMethod::Cupti: return QStringLiteral("CUPTI");
    case TimingMethod::CudaEvent: return QCoreApplication::translate("Timing", "CUDA events");
    }
    return {};
}

}  // namespace

QString timingLines(const TimingCounts& timing)
{
    QStringList lines;
    if (timing.isMixed()) {
        QStringList methods;
        for (int method = 0; method < kTimingMethodCount; ++method)
            if (const std::size_t count = timing.of(static_cast<TimingMethod>(method)); count > 0)
                methods << QCoreApplication::translate("Timing", "%1: %2 traces").arg(methodText(static_cast<TimingMethod>(method)), countText(static_cast<qint64>(count)));
        lines << QCoreApplication::translate("Timing", "These times were taken by several methods and should not be compared:") + QLatin1Char('\n') +
                     methods.join(QLatin1Char('\n'));
    } else if (const std::size_t unknown = timing.of(TimingMethod::Unknown); unknown > 0) {
        lines << QCoreApplication::translate("Timing", "How these %1 traces were timed is not recorded: another program measured them.").arg(countText(static_cast<qint64>(unknown)));
    }
    if (timing.launchBound > 0)
        lines << QCoreApplication::translate("Timing", "%1 results are launch-bound.").arg(countText(static_cast<qint64>(timing.launchBound))) + QLatin1Char(' ') + launchBoundText();
    return lines.join(QLatin1Char('\n'));
}

QString launchBoundText()
{
    return QCoreApplication::translate("Timing", "Launch-bound: the GPU waited for the host, so that a faster kernel would not have shown in the latency.");
}

}  // namespace tracedeck::ui
