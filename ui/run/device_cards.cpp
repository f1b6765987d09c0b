// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/device_cards.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/model/text.h"
#include "core/run/devices.h"
#include "core/score/statistics.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/run/sample_strip.h"
#include "ui/style/icon_button.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLookMilliseconds = 1000;
constexpr std::size_t kMostStates = 180;
constexpr int kStageCount = 6;
constexpr int kStageGap = 2;
constexpr int kStripWidth = 110;
constexpr int kLogLines = 8;
/// Of the strip: below this nothing is too warm.
constexpr double kCoolCelsius = 20;
constexpr double kHotCelsius = 95;

QString stageName(Stage stage)
{
    switch (stage) {
    case Stage::Build: return DeviceCard::tr("build");
    case Stage::Inputs: return DeviceCard::tr("inputs");
    case Stage::Reference: return DeviceCard::tr("reference");
    case Stage::Check: return DeviceCard::tr("check");
    case Stage::Time: return DeviceCard::tr("time");
    case Stage::Verify: return DeviceCard::tr("verify");
    }
    return {};
}

QString stateWord(const DeviceProgress& progress, bool isPaused)
{
    if (isPaused && progress.state != "paused" && !progress.isOver())
        return DeviceCard::tr("pauses after this pair");
    if (progress.state == "starting" || progress.state.empty())
        return DeviceCard::tr("starting");
    if (progress.state == "ready")
        return progress.pair ? DeviceCard::tr("measuring") : DeviceCard::tr("ready");
    if (progress.state == "waiting")
        return DeviceCard::tr("waiting");
    if (progress.state == "paused")
        return DeviceCard::tr("paused");
    if (progress.state == "stopped")
        return DeviceCard::tr("stopped");
    if (progress.state == "lost")
        return DeviceCard::tr("lost");
    return DeviceCard::tr("idle");
}

}  // namespace

QString deviceFacts(const GpuState& state)
{
    QStringList facts;
    if (state.temperatureCelsius)
        facts << DeviceCard::tr("%1 °C").arg(*state.temperatureCelsius);
    if (state.smClockMhz)
        facts << (state.maxSmClockMhz ? DeviceCard::tr("%1 of %2 MHz").arg(*state.smClockMhz).arg(*state.maxSmClockMhz) : DeviceCard::tr("%1 MHz").arg(*state.smClockMhz));
    if (state.freeBytes && state.totalBytes && *state.totalBytes >= *state.freeBytes)
        facts << DeviceCard::tr("memory %1 of %2").arg(QString::fromStdString(tracedeck::bytesText(*state.totalBytes - *state.freeBytes)), QString::fromStdString(tracedeck::bytesText(*state.totalBytes)));
    if (state.powerWatts)
        facts << DeviceCard::tr("%1 W").arg(static_cast<int>(*state.powerWatts));
    if (state.throttleReasons && isThrottled(*state.throttleReasons)) {
        QStringList reasons;
        for (const std::string& reason : throttleReasonNames(*state.throttleReasons))
            reasons << QString::fromStdString(reason);
        facts << DeviceCard::tr("slowed down: %1").arg(reasons.join(QStringLiteral(", ")));
    }
    return facts.join(QStringLiteral(" · "));
}

StageBar::StageBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("stageBar"));
    setAccessibleName(tr("Step of the evaluation"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageBar::setStage(std::optional<Stage> stage)
{
    if (stage == m_stage)
        return;
    m_stage = stage;
    setAccessibleDescription(stage ? stageName(*stage) : QString());
    update();
}

QSize StageBar::sizeHint() const { return {240, fontMetrics().height() + kStageGap}; }

void StageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors();
    const int current = m_stage ? static_cast<int>(*m_stage) : -1;
    for (int i = 0; i < kStageCount; ++i) {
        const int left = width() * i / kStageCount;
        const QRect cell(left, 0, width() * (i + 1) / kStageCount - left - kStageGap, height());
        painter.fillRect(cell, i == current ? colors.accentFill : colors.chip);
        painter.setPen(i == current ? colors.textOnAccent : i < current ? colors.text : colors.muted);
        painter.drawText(cell, Qt::AlignCenter, fontMetrics().elidedText(stageName(static_cast<Stage>(i)), Qt::ElideRight, cell.width()));
    }
}

StateStrip::StateStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("stateStrip"));
    setAccessibleName(tr("Temperature and clock of the last minutes"));
    setToolTip(tr("Temperature (thick) and clock (thin) of the last %1 minutes").arg(static_cast<int>(kMostStates) * kLookMilliseconds / 60'000));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateStrip::add(const GpuState& state)
{
    m_states.push_back(state);
    if (m_states.size() > kMostStates)
        m_states.pop_front();
    setVisible(std::ranges::any_of(m_states, [](const GpuState& one) { return one.temperatureCelsius || one.smClockMhz; }));
    update();
}

QSize StateStrip::sizeHint() const { return {kStripWidth, fontMetrics().height() + kStageGap}; }

void StateStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors();
    painter.fillRect(rect(), colors.chip);
    const auto draw = [&](const QPen& pen, const auto& shareOf) {
        QPainterPath path;
        bool isDown = false;
        for (std::size_t i = 0; i < m_states.size(); ++i) {
            const std::optional<double> share = shareOf(m_states[i]);
            const double x = width() - 1 - static_cast<double>(m_states.size() - 1 - i) * width() / static_cast<double>(kMostStates - 1);
            if (share) {
                const QPointF point(x, (1 - std::clamp(*share, 0.0, 1.0)) * (height() - 3) + 1.5);
                isDown ? path.lineTo(point) : path.moveTo(point);
            }
            isDown = share.has_value();
        }
        painter.strokePath(path, pen);
    };
    draw(QPen(colors.muted, 1), [](const GpuState& state) {
        return state.smClockMhz && state.maxSmClockMhz && *state.maxSmClockMhz > 0 ? std::optional(static_cast<double>(*state.smClockMhz) / *state.maxSmClockMhz) : std::nullopt;
    });
    draw(QPen(colors.accent, 2), [](const GpuState& state) {
        return state.temperatureCelsius ? std::optional((*state.temperatureCelsius - kCoolCelsius) / (kHotCelsius - kCoolCelsius)) : std::nullopt;
    });
}

DeviceCard::DeviceCard(const QString& device, QWidget* parent)
    : QWidget(parent), m_device(device), m_name(new QLabel(device, this)), m_hardware(new ElidedLabel(this)), m_state(new QLabel(this)),
      m_pause(iconButton(QStringLiteral("pause"), tr("Pause %1 after the pair in hand").arg(device), this)),
      m_stop(iconButton(QStringLiteral("stop"), tr("Stop %1: others take its pairs").arg(device), this)), m_showLog(new QToolButton(this)),
      m_pair(new ElidedLabel(this)), m_stages(new StageBar(this)), m_strip(new StateStrip(this)), m_facts(new ElidedLabel(this)), m_counts(new ElidedLabel(this)),
      m_measured(new ElidedLabel(this)), m_samples(new SampleStrip(this)), m_log(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("deviceCard_%1").arg(device));
    setAccessibleName(device);
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setTextFormat(Qt::PlainText);
    m_state->setObjectName(QStringLiteral("deviceState"));
    m_state->setTextFormat(Qt::PlainText);
    m_pair->setObjectName(QStringLiteral("devicePair"));
    m_facts->setObjectName(QStringLiteral("deviceFacts"));
    m_counts->setObjectName(QStringLiteral("deviceCounts"));
    m_pause->setObjectName(QStringLiteral("pauseDevice"));
    m_stop->setObjectName(QStringLiteral("stopDevice"));
    m_pair->setElideMode(Qt::ElideMiddle);
    m_measured->setObjectName(QStringLiteral("deviceMeasured"));
    m_measured->setElideMode(Qt::ElideMiddle);
    m_measured->hide();
    for (ElidedLabel* label : {m_hardware, m_facts, m_counts, m_measured})
        label->setMuted(true);
    m_strip->hide();
    m_showLog->setObjectName(QStringLiteral("showDeviceLog"));
    m_showLog->setText(tr("Log"));
    m_showLog->setToolTip(tr("What the solution in hand prints, while it runs"));
    m_showLog->setAccessibleName(tr("Log of %1").arg(device));
    m_showLog->setCheckable(true);
    m_showLog->setAutoRaise(true);
    m_showLog->setFocusPolicy(Qt::TabFocus);
    m_log->setObjectName(QStringLiteral("deviceLog"));
    m_log->setAccessibleName(tr("What %1 prints now").arg(device));
    m_log->setReadOnly(true);
    m_log->setUndoRedoEnabled(false);
    m_log->setFont(monospacedFont());
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setPlaceholderText(tr("Nothing has been printed yet."));
    m_log->setFixedHeight(kLogLines * m_log->fontMetrics().lineSpacing() + 2 * Space::kNormal);
    m_log->hide();
    connect(m_showLog, &QToolButton::toggled, this, [this](bool shown) {
        m_log->setVisible(shown);
        showLog();
    });
    auto* top = new QHBoxLayout;
    top->setSpacing(Space::kNormal);
    top->addWidget(m_name);
    top->addWidget(m_hardware, 1);
    top->addWidget(m_state);
    top->addWidget(m_showLog);
    top->addWidget(m_pause);
    top->addWidget(m_stop);
    auto* facts = new QHBoxLayout;
    facts->setSpacing(Space::kNormal);
    facts->addWidget(m_strip);
    facts->addWidget(m_facts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kTight, Space::kNormal, Space::kNormal);
    layout->setSpacing(Space::kTight);
    layout->addLayout(top);
    layout->addWidget(m_pair);
    layout->addWidget(m_stages);
    layout->addLayout(facts);
    layout->addWidget(m_counts);
    layout->addWidget(m_log);
    layout->addWidget(m_measured);
    layout->addWidget(m_samples);
    connect(m_pause, &QToolButton::clicked, this, [this] { emit pauseToggled(m_device, !m_isPaused); });
    connect(m_stop, &QToolButton::clicked, this, [this] { emit stopRequested(m_device); });
}

void DeviceCard::setProgress(const DeviceProgress& progress, const std::function<QString(std::size_t)>& pairText, bool isPaused, bool isRunning)
{
    const QString pair = progress.pair ? pairText(*progress.pair) : QString();
    m_hardware->setText(QString::fromStdString(progress.hardware));
    const QString word = isRunning || progress.isOver() ? stateWord(progress, isPaused && isRunning) : tr("idle");
    m_state->setText(word);
    m_state->setToolTip(plainToolTip(QString::fromStdString(progress.message)));
    // While nothing is measured: why.
    m_pair->setText(!pair.isEmpty() ? pair : QString::fromStdString(progress.message).section(QLatin1Char('\n'), 0, 0));
    m_stages->setStage(progress.stage);
    QStringList counts{tr("%1 passed").arg(countText(static_cast<qint64>(progress.passed))), tr("%1 failed").arg(countText(static_cast<qint64>(progress.failed)))};
    if (progress.problems > 0)
        counts << tr("%1 could not be measured").arg(countText(static_cast<qint64>(progress.problems)));
    if (progress.ended() > 0 && progress.busySeconds > 0)
        counts << tr("%1 s a pair").arg(significantText(progress.busySeconds / static_cast<double>(progress.ended()), 3));
    m_counts->setText(counts.join(QStringLiteral(" · ")));
    if (m_isPaused != isPaused) {
        m_isPaused = isPaused;
        m_pause->setIcon(icon(isPaused ? QStringLiteral("run") : QStringLiteral("pause")));
        const QString tip = isPaused ? tr("Let %1 go on").arg(m_device) : tr("Pause %1 after the pair in hand").arg(m_device);
        m_pause->setToolTip(tip);
        m_pause->setAccessibleName(tip);
    }
    m_logText = progress.log;
    showLog();
    m_measured->setVisible(progress.measured.has_value());
    if (progress.measured)
        m_measured->setText(tr("Measured last: %1 · %2").arg(durationText(median(progress.samplesMs)), pairText(*progress.measured)));
    m_samples->setSamples(progress.samplesMs);
    m_pause->setEnabled(isRunning && !progress.isOver());
    m_stop->setEnabled(isRunning && !progress.isOver());
    setAccessibleDescription(QStringLiteral("%1 %2 %3").arg(word, pair, m_counts->text()));
}

/// A log is laid out only where somebody looks; it follows its end unless the user looks at another part of it.
void DeviceCard::showLog()
{
    if (!m_showLog->isChecked() || m_logText == m_shownLog)
        return;
    QScrollBar* bar = m_log->verticalScrollBar();
    const bool isAtEnd = bar->value() == bar->maximum();
    const int before = bar->value();
    m_shownLog = m_logText;
    m_log->setPlainText(visibleLines(QString::fromStdString(m_logText)));
    bar->setValue(isAtEnd ? bar->maximum() : before);
}

void DeviceCard::addState(const GpuState& state)
{
    m_strip->add(state);
    m_facts->setText(deviceFacts(state));
}

void DeviceCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(themeColors().line);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

DeviceCards::DeviceCards(QWidget* parent)
    : QScrollArea(parent), m_empty(new MutedLabel(tr("While a run goes on, its devices are shown here: what each one measures, how warm it is, how fast its clock."), this)),
      m_source([](const std::string& device) { return deviceState(device); }), m_timer(new QTimer(this)), m_job(new LatestJob(this))
{
    setObjectName(QStringLiteral("deviceCards"));
    setAccessibleName(tr("Devices of the run"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget(this);
    m_layout = new QVBoxLayout(inside);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_empty->setWordWrap(true);
    m_empty->setMargin(Space::kWide);
    m_layout->addWidget(m_empty);
    m_layout->addStretch(1);
    setWidget(inside);
    m_timer->setInterval(kLookMilliseconds);
    connect(m_timer, &QTimer::timeout, this, &DeviceCards::look);
}

DeviceCards::~DeviceCards() = default;

void DeviceCards::setSource(Source source) { m_source = std::move(source); }

void DeviceCards::showDevices(const std::vector<DeviceProgress>& devices, const std::function<QString(std::size_t)>& pairText, const std::function<bool(const std::string&)>& isPaused, bool isRunning)
{
    const bool isSame = std::ranges::equal(devices, m_cards, {}, [](const DeviceProgress& one) { return QString::fromStdString(one.device); }, [](const DeviceCard* card) { return card->device(); });
    if (!isSame) {
        for (DeviceCard* card : std::exchange(m_cards, {}))
            card->deleteLater();
        for (const DeviceProgress& device : devices) {
            auto* card = new DeviceCard(QString::fromStdString(device.device), widget());
            connect(card, &DeviceCard::pauseToggled, this, &DeviceCards::pauseToggled);
            connect(card, &DeviceCard::stopRequested, this, &DeviceCards::stopRequested);
            m_layout->insertWidget(m_layout->count() - 1, card);
            m_cards.push_back(card);
        }
        m_empty->setVisible(devices.empty());
        if (isRunning)
            look();
    }
    for (std::size_t i = 0; i < devices.size(); ++i)
        m_cards[i]->setProgress(devices[i], pairText, isPaused(devices[i].device), isRunning);
    if (isRunning && !m_timer->isActive())
        m_timer->start();
    else if (!isRunning)
        m_timer->stop();
}

void DeviceCards::look()
{
    if (m_cards.empty() || !isVisible() || m_job->isRunning())
        return;
    using States = std::map<QString, GpuState>;
    std::vector<std::string> devices;
    for (const DeviceCard* card : m_cards)
        devices.push_back(card->device().toStdString());
    m_job->start<States>(
        [devices, source = m_source](std::stop_token) {
            States states;
            for (const std::string& device : devices)
                if (auto state = source(device))
                    states.emplace(QString::fromStdString(device), *state);
            return states;
        },
        [this](const States& states) {
            for (DeviceCard* card : m_cards)
                if (const auto state = states.find(card->device()); state != states.end())
                    card->addState(state->second);
        });
}

}  // namespace tracedeck::ui
