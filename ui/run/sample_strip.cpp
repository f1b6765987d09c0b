// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/sample_strip.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/score/statistics.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kSampleStripHeight = 44;
constexpr int kSampleStripWidth = 240;
/// Of the width: the histogram beside the points.
constexpr double kHistogramShare = 0.25;
constexpr std::size_t kHistogramBars = 11;
/// One straggler must not press all other calls into a line.
constexpr double kHighestShare = 0.99;

}  // namespace

SampleStrip::SampleStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("sampleStrip"));
    setAccessibleName(tr("Times of the calls that were measured last"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void SampleStrip::setSamples(const std::vector<double>& samplesMs)
{
    if (samplesMs == m_samples)
        return;
    m_samples = samplesMs;
    setVisible(!m_samples.empty());
    if (m_samples.empty())
        return;
    std::vector<double> sorted = m_samples;
    std::ranges::sort(sorted);
    m_median = quantile(sorted, 0.5);
    m_low = sorted.front();
    m_high = std::max(quantile(sorted, kHighestShare), m_median);
    if (const double least = m_median * 0.01; m_high - m_low < least) {   // noise of less than a percent looks like none
        m_low = m_median - least / 2;
        m_high = m_median + least / 2;
    }
    const QString text = tr("%n call(s), one point each: median %1, fastest %2, slowest %3. On the right: how often each time was taken.", nullptr, static_cast<int>(m_samples.size()))
                             .arg(durationText(m_median), durationText(sorted.front()), durationText(sorted.back()));
    setToolTip(plainToolTip(text));
    setAccessibleDescription(text);
    update();
}

QSize SampleStrip::sizeHint() const { return {kSampleStripWidth, kSampleStripHeight}; }

void SampleStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors();
    painter.fillRect(rect(), colors.chip);
    if (m_samples.empty())
        return;
    constexpr int kMargin = 3;
    const QRectF all = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double split = all.left() + all.width() * (1 - kHistogramShare);
    const auto shareOf = [this](double sample) { return std::clamp((sample - m_low) / (m_high - m_low), 0.0, 1.0); };
    const auto yOf = [&](double sample) { return all.bottom() - shareOf(sample) * all.height(); };
    std::array<std::size_t, kHistogramBars> counts{};
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        const double x = all.left() + (static_cast<double>(i) + 0.5) * (split - kMargin - all.left()) / static_cast<double>(m_samples.size());
        painter.drawRect(QRectF(x - 1, yOf(m_samples[i]) - 1, 2, 2));
        ++counts[std::min(static_cast<std::size_t>(shareOf(m_samples[i]) * kHistogramBars), kHistogramBars - 1)];
    }
    const auto most = static_cast<double>(*std::ranges::max_element(counts));
    const double high = all.height() / kHistogramBars;
    for (std::size_t bar = 0; bar < kHistogramBars; ++bar) {
        const double wide = static_cast<double>(counts[bar]) / most * (all.right() - split);
        painter.drawRect(QRectF(split, all.bottom() - static_cast<double>(bar + 1) * high, wide, std::max(high - 1, 1.0)));
    }
    painter.setPen(QPen(colors.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(all.left(), yOf(m_median)), QPointF(all.right(), yOf(m_median)));
}

}  // namespace tracedeck::ui
