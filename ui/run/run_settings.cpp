// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSpinBox>
#include <algorithm>

#include "core/run/runner.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

const QString kDeviceKey = QStringLiteral("run/device");
const QString kTimeoutKey = QStringLiteral("run/timeoutSeconds");
constexpr int kAutomatic = -1;

struct FoundDevices {
    std::vector<std::string> available;
    std::vector<std::string> standard;
};

}  // namespace

RunSettings::RunSettings(QWidget* parent)
    : QWidget(parent), m_device(new QComboBox(this)), m_warmups(new QSpinBox(this)), m_iterations(new QSpinBox(this)),
      m_trials(new QSpinBox(this)), m_timeout(new QDoubleSpinBox(this)), m_resume(new QCheckBox(tr("S&kip what is measured"), this)),
      m_job(new LatestJob(this))
{
    m_device->setObjectName(QStringLiteral("runDevice"));
    m_device->setToolTip(tr("Where to run; with several devices each takes the next pair"));
    m_device->addItem(tr("finding devices …"));
    m_device->setEnabled(false);
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    const auto setUp = [](QSpinBox* box, const QString& name, int maximum, const QString& toolTip) {
        box->setObjectName(name);
        box->setRange(kAutomatic, maximum);
        box->setSpecialValueText(tr("auto"));
        box->setValue(kAutomatic);
        box->setToolTip(toolTip);
    };
    setUp(m_warmups, QStringLiteral("runWarmups"), 100'000, tr("Calls before timing starts; auto: as the evaluation config says"));
    setUp(m_iterations, QStringLiteral("runIterations"), 1'000'000, tr("Timed calls of one trial; auto: as the evaluation config says"));
    setUp(m_trials, QStringLiteral("runTrials"), 10'000, tr("Trials with new inputs, checked and timed each; auto: as the evaluation config says"));
    m_timeout->setObjectName(QStringLiteral("runTimeout"));
    m_timeout->setRange(1, 86'400);
    m_timeout->setDecimals(0);
    m_timeout->setSuffix(tr(" s"));
    m_timeout->setValue(QSettings().value(kTimeoutKey, RunRequest().timeoutSeconds).toDouble());
    m_timeout->setToolTip(tr("Time limit of one evaluation, the build not counted"));
    m_resume->setObjectName(QStringLiteral("runResume"));
    m_resume->setToolTip(tr("Leave out pairs that have a result already"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Space::kNormal);
    const auto add = [this, layout](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        layout->addWidget(label);
        layout->addWidget(field);
    };
    add(tr("&Device"), m_device);
    add(tr("&Warm-ups"), m_warmups);
    add(tr("&Iterations"), m_iterations);
    add(tr("T&rials"), m_trials);
    add(tr("Time &limit"), m_timeout);
    layout->addWidget(m_resume);
    connect(m_device, &QComboBox::activated, this, [this] { QSettings().setValue(kDeviceKey, m_device->currentData()); });
    connect(m_timeout, &QDoubleSpinBox::valueChanged, this, [](double seconds) { QSettings().setValue(kTimeoutKey, seconds); });
    findDevices();
}

RunSettings::~RunSettings() = default;

void RunSettings::findDevices()
{
    m_job->start<FoundDevices>([](std::stop_token) { return FoundDevices{availableDevices(), defaultDevices()}; },
                               [this](const FoundDevices& found) {
                                   m_device->clear();
                                   for (const std::string& device : found.available) {
                                       const QString name = QString::fromStdString(device);
                                       m_device->addItem(name, QStringList{name});
                                   }
                                   if (found.standard.size() > 1) {
                                       QStringList all;
                                       for (const std::string& device : found.standard) {
                                           all << QString::fromStdString(device);
                                       }
                                       m_device->insertItem(0, tr("all %1 GPUs").arg(all.size()), all);
                                   }
                                   const int last = m_device->findData(QSettings().value(kDeviceKey));
                                   const int standard = found.standard.size() == 1
                                                            ? m_device->findText(QString::fromStdString(found.standard.front()))
                                                            : 0;
                                   m_device->setCurrentIndex(last >= 0 ? last : std::max(standard, 0));
                                   m_device->setEnabled(m_device->count() > 0);
                                   m_devicesKnown = true;
                                   emit devicesKnown();
                               });
}

void RunSettings::applyTo(RunRequest& request) const
{
    request.devices.clear();
    for (const QString& device : m_device->currentData().toStringList()) {
        request.devices.push_back(device.toStdString());
    }
    const auto given = [](const QSpinBox* box) { return box->value() == kAutomatic ? std::nullopt : std::optional(box->value()); };
    request.overrides.warmupRuns = given(m_warmups);
    request.overrides.iterations = given(m_iterations);
    request.overrides.numTrials = given(m_trials);
    request.timeoutSeconds = m_timeout->value();
    request.resume = m_resume->isChecked();
}

void RunSettings::takeOver(const RunSettings& predecessor)
{
    m_warmups->setValue(predecessor.m_warmups->value());
    m_iterations->setValue(predecessor.m_iterations->value());
    m_trials->setValue(predecessor.m_trials->value());
    m_timeout->setValue(predecessor.m_timeout->value());
    m_resume->setChecked(predecessor.m_resume->isChecked());
}

void RunSettings::setIterations(int iterations) { m_iterations->setValue(iterations); }

void RunSettings::setWarmups(int warmups) { m_warmups->setValue(warmups); }

void RunSettings::setTrials(int trials) { m_trials->setValue(trials); }

}  // namespace tracedeck::ui
