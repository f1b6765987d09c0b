// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/plan_settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/io/trace_writer.h"
#include "core/run/run_settings.h"
#include "ui/dialogs/overrides_form.h"
#include "ui/models/latest_job.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kLongestTimeout = 1e7;
constexpr int kMostDeviceRows = 4;
constexpr qsizetype kLongestPresetName = 60;
constexpr QLatin1Char kOpTypeScope('o');
constexpr QLatin1Char kDefinitionScope('d');

ConfigScope scopeFromData(const QString& data)
{
    if (data.isEmpty())
        return {};
    return {data.front() == kOpTypeScope ? ConfigScope::Kind::OpType : ConfigScope::Kind::Definition, data.mid(1).toStdString()};
}

/// The values of one scope.
void setLayer(RunRequest& request, const ConfigScope& scope, EvalOverrides values)
{
    if (scope.kind == ConfigScope::Kind::Everything)
        request.overrides = std::move(values);
    else if (!(request.configFile.layer(scope) == values))
        request.configFile.setLayer(scope, std::move(values));
}

QHBoxLayout* rowOf(std::initializer_list<QWidget*> widgets)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(Space::kNormal);
    for (QWidget* widget : widgets)
        row->addWidget(widget, widget == *widgets.begin() ? 1 : 0);
    return row;
}

}  // namespace

PlanSettings::PlanSettings(QWidget* parent) : QWidget(parent), m_listJob(new LatestJob(this)), m_fileJob(new LatestJob(this))
{
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, Space::kNormal, 0);
    form->setHorizontalSpacing(Space::kNormal);
    form->setVerticalSpacing(Space::kTight);
    addPresets(form);
    addEvaluation(form);
    addLimits(form);
    fillPresets({});
}

PlanSettings::~PlanSettings() = default;

bool PlanSettings::isBusy() const { return m_listJob->isRunning() || m_fileJob->isRunning(); }

void PlanSettings::addPresets(QFormLayout* form)
{
    m_preset = new NameBox(tr("Settings that were saved under a name, here or with --save-preset"), this);
    m_preset->setObjectName(QStringLiteral("planPreset"));
    m_preset->setAccessibleName(tr("Preset"));
    auto* save = new QPushButton(tr("Sa&ve as…"), this);
    save->setObjectName(QStringLiteral("savePreset"));
    save->setToolTip(tr("Keep these settings under a name: for here, and for --preset on the command line"));
    m_removePreset = new QPushButton(tr("De&lete"), this);
    m_removePreset->setObjectName(QStringLiteral("removePreset"));
    m_removePreset->setToolTip(tr("Forget the chosen preset, after a question"));
    form->addRow(tr("Preset"), rowOf({m_preset, save, m_removePreset}));
    m_devices = new QListWidget(this);
    m_devices->setObjectName(QStringLiteral("planDevices"));
    m_devices->setAccessibleName(tr("Devices to use"));
    m_devices->setToolTip(tr("Devices to use: each takes the next pairs"));
    form->addRow(tr("Devices"), m_devices);
    connect(m_preset, &QComboBox::activated, this, &PlanSettings::usePreset);
    connect(save, &QPushButton::clicked, this, &PlanSettings::askForPresetName);
    connect(m_removePreset, &QPushButton::clicked, this, &PlanSettings::removePresetInHand);
    connect(m_devices, &QListWidget::itemChanged, this, &PlanSettings::changed);
}

void PlanSettings::addEvaluation(QFormLayout* form)
{
    m_scopes = new NameBox(tr("What the values below hold for; those for everything win over the others"), this);
    m_scopes->setObjectName(QStringLiteral("planScope"));
    m_scopes->setAccessibleName(tr("What the values hold for"));
    form->addRow(tr("Values for"), m_scopes);
    m_overrides = new OverridesForm(form, this);
    auto* load = new QPushButton(tr("L&oad YAML…"), this);
    load->setObjectName(QStringLiteral("loadYaml"));
    load->setToolTip(tr("Values of evaluations from a file, as --config reads it"));
    auto* save = new QPushButton(tr("Save &YAML…"), this);
    save->setObjectName(QStringLiteral("saveYaml"));
    save->setToolTip(tr("Write the values for op_types and definitions into a file that --config reads"));
    form->addRow(QString(), rowOf({load, save}));
    connect(m_scopes, &QComboBox::activated, this, [this] {
        takeScope();
        m_scope = scopeFromData(m_scopes->currentData().toString());
        showScope();
    });
    connect(m_overrides, &OverridesForm::edited, this, &PlanSettings::changed);
    connect(load, &QPushButton::clicked, this, &PlanSettings::loadYaml);
    connect(save, &QPushButton::clicked, this, &PlanSettings::saveYaml);
}

void PlanSettings::addLimits(QFormLayout* form)
{
    const auto seconds = [this](const char* name, const QString& tip) {
        auto* box = new QDoubleSpinBox(this);
        box->setObjectName(QString::fromLatin1(name));
        box->setRange(0.1, kLongestTimeout);
        box->setDecimals(1);
        box->setSuffix(tr(" s"));
        box->setToolTip(tip);
        connect(box, &QDoubleSpinBox::valueChanged, this, &PlanSettings::changed);
        return box;
    };
    m_timeout = seconds("planTimeout", tr("Time limit of one evaluation, the build not counted"));
    form->addRow(tr("Time limit"), m_timeout);
    m_buildTimeout = seconds("planBuildTimeout", tr("Time limit of compiling one solution"));
    form->addRow(tr("Build limit"), m_buildTimeout);
    m_seed = new QLineEdit(this);
    m_seed->setObjectName(QStringLiteral("planSeed"));
    m_seed->setPlaceholderText(tr("random, told at the end"));
    m_seed->setToolTip(tr("A seed of your own repeats the inputs exactly; solutions could know it, so traces say so"));
    form->addRow(tr("Seed"), m_seed);
    m_skipAfter = new QSpinBox(this);
    m_skipAfter->setObjectName(QStringLiteral("planSkipAfter"));
    m_skipAfter->setRange(0, 1'000'000);
    m_skipAfter->setSpecialValueText(tr("never"));
    m_skipAfter->setToolTip(tr("Leave a solution alone once it failed so often in this run"));
    form->addRow(tr("Skip after failures"), m_skipAfter);
    m_waitIdle = new QCheckBox(tr("until at most"), this);
    m_waitIdle->setObjectName(QStringLiteral("planWaitIdle"));
    m_waitIdle->setToolTip(tr("GPUs wait before each workload until they are at most this warm and no other program uses them"));
    m_celsius = new QDoubleSpinBox(this);
    m_celsius->setObjectName(QStringLiteral("planCelsius"));
    m_celsius->setRange(0, 150);
    m_celsius->setDecimals(0);
    m_celsius->setSuffix(tr(" °C"));
    m_celsius->setAccessibleName(tr("Warmest GPU that is measured on"));
    form->addRow(tr("Wait for idle GPU"), rowOf({m_waitIdle, m_celsius}));
    m_isolation = new QComboBox(this);
    m_isolation->setObjectName(QStringLiteral("planIsolation"));
    m_isolation->addItem(tr("a process per evaluation"), static_cast<int>(Isolation::Evaluation));
    m_isolation->addItem(tr("a process per solution"), static_cast<int>(Isolation::Solution));
    m_isolation->setToolTip(tr("One process a solution is faster, and the solution could remember things"));
    form->addRow(tr("Isolation"), m_isolation);
    m_baseline = new QCheckBox(tr("Time the &reference, too"), this);
    m_baseline->setObjectName(QStringLiteral("planBaseline"));
    m_baseline->setToolTip(tr("Without it there is no speedup"));
    form->addRow(QString(), m_baseline);
    m_save = new QCheckBox(tr("&Store the results"), this);
    m_save->setObjectName(QStringLiteral("planSave"));
    m_save->setToolTip(tr("Append each result to the dataset's traces as soon as it is known"));
    form->addRow(QString(), m_save);
    connect(m_seed, &QLineEdit::textEdited, this, &PlanSettings::changed);
    connect(m_skipAfter, &QSpinBox::valueChanged, this, &PlanSettings::changed);
    connect(m_celsius, &QDoubleSpinBox::valueChanged, this, &PlanSettings::changed);
    connect(m_isolation, &QComboBox::activated, this, &PlanSettings::changed);
    for (const QCheckBox* box : {m_waitIdle, m_baseline, m_save})
        connect(box, &QCheckBox::toggled, this, &PlanSettings::changed);
    connect(m_waitIdle, &QCheckBox::toggled, m_celsius, &QWidget::setEnabled);
}

void PlanSettings::setDevices(const std::vector<std::string>& devices)
{
    m_devicesKnown = devices;
    setRequest(m_request);
}

void PlanSettings::setRequest(const RunRequest& request)
{
    m_showing = true;   // fields change one by one: nobody needs to hear of each
    m_request = request;
    std::vector<std::string> names = m_devicesKnown;
    for (const std::string& device : request.devices)
        if (std::ranges::find(names, device) == names.end())
            names.push_back(device);
    {
        const QSignalBlocker blocker(this);
        m_devices->clear();
        for (const std::string& device : names) {
            auto* item = new QListWidgetItem(QString::fromStdString(device), m_devices);
            item->setSizeHint(QSize(0, kRowHeight));
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setCheckState(std::ranges::find(request.devices, device) != request.devices.end() ? Qt::Checked : Qt::Unchecked);
        }
        m_devices->setFixedHeight(std::clamp(m_devices->count(), 1, kMostDeviceRows) * kRowHeight + 2 * m_devices->frameWidth());
        m_timeout->setValue(request.timeoutSeconds);
        m_buildTimeout->setValue(request.buildTimeoutSeconds);
        m_seed->setText(request.seed ? QString::number(*request.seed) : QString());
        m_skipAfter->setValue(static_cast<int>(std::min<std::size_t>(request.skipAfterFailures, 1'000'000)));
        m_waitIdle->setChecked(request.waitIdle.has_value());
        m_celsius->setEnabled(request.waitIdle.has_value());
        m_celsius->setValue(request.waitIdle.value_or(IdleRule{}).mostCelsius);
        m_isolation->setCurrentIndex(m_isolation->findData(static_cast<int>(request.isolation)));
        m_baseline->setChecked(request.profileBaseline);
        m_save->setChecked(request.saveResults);
        fillScopes();
        showScope();
    }
    m_showing = false;
    emit changed();
}

Result<RunRequest> PlanSettings::request() const
{
    RunRequest request = m_request;
    auto values = m_overrides->values();
    if (!values)
        return values.error();
    setLayer(request, m_scope, std::move(*values));
    request.devices.clear();
    for (int row = 0; row < m_devices->count(); ++row)
        if (m_devices->item(row)->checkState() == Qt::Checked)
            request.devices.push_back(m_devices->item(row)->text().toStdString());
    request.timeoutSeconds = m_timeout->value();
    request.buildTimeoutSeconds = m_buildTimeout->value();
    request.seed.reset();
    if (const QString text = m_seed->text().trimmed(); !text.isEmpty()) {
        bool isNumber = false;
        request.seed = text.toULongLong(&isNumber);
        if (!isNumber)
            return Error{ErrorCode::Usage, tr("“%1” is no whole number").arg(text).toStdString(), {}, 0, "seed"};
    }
    request.skipAfterFailures = static_cast<std::size_t>(m_skipAfter->value());
    if (!m_waitIdle->isChecked())
        request.waitIdle.reset();
    else
        request.waitIdle = IdleRule{.mostCelsius = m_celsius->value(), .mostBusyPercent = m_request.waitIdle.value_or(IdleRule{}).mostBusyPercent};
    request.isolation = static_cast<Isolation>(m_isolation->currentData().toInt());
    request.profileBaseline = m_baseline->isChecked();
    request.saveResults = m_save->isChecked();
    return request;
}

void PlanSettings::takeScope()
{
    if (auto values = m_overrides->values())
        setLayer(m_request, m_scope, std::move(*values));
    else
        emit failed(QString::fromStdString(values.error().toString()));
}

void PlanSettings::showScope()
{
    m_overrides->setValues(m_scope.kind == ConfigScope::Kind::Everything ? m_request.overrides : m_request.configFile.layer(m_scope));
    if (!m_showing)
        emit changed();
}

void PlanSettings::fillScopes()
{
    const QString before = m_scopes->currentData().toString();
    m_scopes->clear();
    m_scopes->addItem(tr("everything"), QString());
    if (m_request.dataset) {
        std::set<std::string> opTypes;
        for (const auto& definition : m_request.dataset->definitions())
            opTypes.insert(definition->opType);
        const auto add = [this](QLatin1Char kind, ConfigScope::Kind what, const std::string& name, const QString& title) {
            const bool hasValues = !(m_request.configFile.layer({what, name}) == EvalOverrides());
            m_scopes->addItem(hasValues ? tr("%1 (set)").arg(title) : title, QString(kind) + QString::fromStdString(name));
        };
        for (const std::string& opType : opTypes)
            add(kOpTypeScope, ConfigScope::Kind::OpType, opType, tr("op_type %1").arg(visibleText(QString::fromStdString(opType))));
        for (const auto& definition : m_request.dataset->definitions())
            add(kDefinitionScope, ConfigScope::Kind::Definition, definition->name, visibleText(QString::fromStdString(definition->name)));
    }
    m_scopes->setCurrentIndex(std::max(0, m_scopes->findData(before)));
    m_scope = scopeFromData(m_scopes->currentData().toString());
}

void PlanSettings::fillPresets(const QString& chosen)
{
    m_listJob->start<QStringList>(
        [](std::stop_token) {
            QStringList names;
            for (const std::string& name : presetNames(presetFolder()))
                names << QString::fromStdString(name);
            return names;
        },
        [this, chosen](const QStringList& names) {
            m_preset->clear();
            m_preset->addItem(tr("none"), QString());
            for (const QString& name : names)
                m_preset->addName(name);
            m_preset->setCurrentIndex(std::max(0, m_preset->findData(chosen)));
            m_removePreset->setEnabled(m_preset->currentIndex() > 0);
        });
}

void PlanSettings::usePreset()
{
    const QString name = m_preset->currentData().toString();
    m_removePreset->setEnabled(!name.isEmpty());
    const auto now = request();
    if (name.isEmpty() || !now)
        return;
    m_fileJob->start<Result<RunRequest>>(
        [name, request = *now](std::stop_token) -> Result<RunRequest> {
            RunRequest changed = request;
            if (auto applied = applyPreset(presetFolder(), name.toStdString(), changed); !applied)
                return applied.error();
            // Which interpreter there is says this machine's setting; a preset that names none keeps it.
            if (changed.python.empty())
                changed.python = request.python;
            return changed;
        },
        [this](const Result<RunRequest>& changed) {
            if (changed)
                setRequest(*changed);
            else
                emit failed(QString::fromStdString(changed.error().toString()));
        });
}

void PlanSettings::askForPresetName()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("presetName"));
    dialog->setWindowTitle(tr("Save preset"));
    dialog->setLabelText(tr("Name of the preset (one of the same name is replaced):"));
    dialog->setTextValue(m_preset->currentData().toString());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const QString name = text.simplified().left(kLongestPresetName);
        const auto now = request();
        if (name.isEmpty() || !now) {
            if (!now)
                emit failed(QString::fromStdString(now.error().toString()));
            return;
        }
        m_fileJob->start<Result<void>>([name, request = *now](std::stop_token) { return savePreset(presetFolder(), name.toStdString(), request); },
                                       [this, name](const Result<void>& saved) {
                                           if (saved)
                                               fillPresets(name);
                                           else
                                               emit failed(QString::fromStdString(saved.error().toString()));
                                       });
    });
    dialog->open();
}

void PlanSettings::removePresetInHand()
{
    const QString name = m_preset->currentData().toString();
    auto* question = new QMessageBox(QMessageBox::Question, tr("Delete preset"), tr("The preset %1 will be gone for good.").arg(shortened(visibleText(name), kLongestPresetName)), QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("removePresetQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    QPushButton* remove = question->addButton(tr("&Delete preset"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this, name] {
        m_fileJob->start<Result<void>>([name](std::stop_token) { return removePreset(presetFolder(), name.toStdString()); },
                                       [this](const Result<void>& removed) {
                                           if (!removed)
                                               emit failed(QString::fromStdString(removed.error().toString()));
                                           fillPresets({});
                                       });
    });
    question->open();
}

void PlanSettings::loadYaml()
{
    auto* chooser = new QFileDialog(this, tr("Load values of evaluations"), QString(), tr("YAML files (*.yaml *.yml);;All files (*)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) { useYaml(path, false); });
    chooser->open();
}

void PlanSettings::saveYaml()
{
    takeScope();
    auto* chooser = new QFileDialog(this, tr("Save values of evaluations"), QStringLiteral("eval_config.yaml"), tr("YAML files (*.yaml *.yml);;All files (*)"));
    chooser->setObjectName(QStringLiteral("saveYamlChooser"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("yaml"));
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) { useYaml(path, true); });
    chooser->open();
}

void PlanSettings::useYaml(const QString& path, bool write)
{
    m_fileJob->start<Result<EvalConfigFile>>(
        [path = path.toStdString(), text = write ? m_request.configFile.toYaml() : std::string(), write](std::stop_token) -> Result<EvalConfigFile> {
            if (write)
                if (auto written = writeFileAtomically(path, text); !written)
                    return written.error();
            return EvalConfigFile::load(path);   // so that a command can name it
        },
        [this](const Result<EvalConfigFile>& file) {
            if (!file) {
                emit failed(QString::fromStdString(file.error().toString()));
                return;
            }
            const auto now = request();
            RunRequest changed = now ? *now : m_request;
            changed.configFile = *file;
            setRequest(changed);
        });
}

}  // namespace tracedeck::ui
