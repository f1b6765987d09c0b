// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/run/python_environment.h"
#include "ui/dialogs/running_settings.h"
#include "ui/models/latest_job.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"

namespace tracedeck::ui {
namespace {

/// Several lines: which interpreter, why, and what it has.
QString describePython(const std::string& setting, const std::string& option)
{
    const PythonChoice choice = choosePython(setting, option);
    QString text = QString::fromStdString(choice.explanation);
    if (choice.interpreter.empty())
        return text;
    const Result<PythonFacts> facts = inspectPython(choice.interpreter);
    if (!facts)
        return text + QLatin1Char('\n') + QString::fromStdString(facts.error().toString());
    QStringList packages{QStringLiteral("Python %1").arg(QString::fromStdString(facts->version))};
    for (const auto& [name, version] : facts->packages)
        packages << QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(version));
    return text + QLatin1Char('\n') + packages.join(QStringLiteral(" · "));
}

}  // namespace

SettingsDialog::SettingsDialog(const QString& pythonOption, QWidget* parent)
    : QDialog(parent), m_pythonOption(pythonOption), m_theme(new QComboBox(this)), m_language(new QComboBox(this)), m_fontStep(new QSpinBox(this)),
      m_python(new QLineEdit(this)), m_browse(new QPushButton(tr("&Browse…"), this)), m_pythonState(new WrappedLabel(this)), m_job(new LatestJob(this))
{
    setWindowTitle(tr("Settings"));
    setMinimumWidth(560);
    for (const auto& [choice, name] : {std::pair{ThemeChoice::System, tr("Like the system")}, std::pair{ThemeChoice::Light, tr("Light")},
                                       std::pair{ThemeChoice::Dark, tr("Dark")}})
        m_theme->addItem(name, QVariant::fromValue(static_cast<int>(choice)));
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(Settings::theme())));
    for (const auto& [language, name] : {std::pair{WindowLanguage::System, tr("Like the system")}, std::pair{WindowLanguage::English, QStringLiteral("English")},
                                         std::pair{WindowLanguage::SimplifiedChinese, QStringLiteral("简体中文")}})
        m_language->addItem(name, QVariant::fromValue(static_cast<int>(language)));
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_language->setCurrentIndex(m_language->findData(static_cast<int>(Settings::language())));
    m_fontStep->setRange(-2, 8);
    m_fontStep->setPrefix(tr("system size "));
    m_fontStep->setSuffix(tr(" pt"));
    m_fontStep->setValue(Settings::fontStep());
    m_python->setObjectName(QStringLiteral("pythonEdit"));
    m_python->setText(Settings::pythonInterpreter());
    m_python->setPlaceholderText(tr("Automatic"));
    m_python->setClearButtonEnabled(true);
    m_python->setToolTip(tr("Interpreter with PyTorch that runs references and Python solutions; empty: chosen automatically"));
    m_browse->setAccessibleName(tr("Browse for a Python interpreter"));
    m_pythonState->setObjectName(QStringLiteral("pythonState"));
    m_pythonState->setMinimumHeight(4 * fontMetrics().height());
    m_pythonState->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    auto* pythonRow = new QHBoxLayout;
    pythonRow->setSpacing(Space::kNormal);
    pythonRow->addWidget(m_python, 1);
    pythonRow->addWidget(m_browse);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(Space::kWide);
    form->addRow(tr("&Theme"), m_theme);
    form->addRow(tr("&Language"), m_language);
    form->addRow(tr("&Font"), m_fontStep);
    auto* reopen = new QCheckBox(tr("&Open at the start what was open last"), this);
    reopen->setObjectName(QStringLiteral("restoresSession"));
    reopen->setToolTip(tr("The dataset with its tabs, filters and charts, when Tracedeck is started without a folder"));
    reopen->setChecked(Settings::restoresSession());
    connect(reopen, &QCheckBox::toggled, this, [](bool on) { Settings::setRestoresSession(on); });
    form->addRow(QString(), reopen);
    form->addRow(tr("&Python interpreter"), pythonRow);
    static_cast<QLabel*>(form->labelForField(pythonRow))->setBuddy(m_python);
    form->addRow(QString(), m_pythonState);
    m_running = new RunningSettings(form, this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kPage, Space::kPage, Space::kPage);
    layout->setSpacing(Space::kPage);
    layout->addLayout(form, 1);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_theme, &QComboBox::currentIndexChanged, this, [this] {
        const auto choice = static_cast<ThemeChoice>(m_theme->currentData().toInt());
        Settings::setTheme(choice);
        emit themeChanged(choice);
    });
    connect(m_language, &QComboBox::activated, this, [this] { emit languageChanged(static_cast<WindowLanguage>(m_language->currentData().toInt())); });
    connect(m_fontStep, &QSpinBox::valueChanged, this, [this](int step) {
        Settings::setFontStep(step);
        emit fontStepChanged(step);
    });
    connect(m_python, &QLineEdit::editingFinished, this, &SettingsDialog::applyPython);
    connect(m_browse, &QPushButton::clicked, this, &SettingsDialog::browsePython);
    checkPython();
}

SettingsDialog::~SettingsDialog() = default;

QString SettingsDialog::pythonState() const { return m_pythonState->text(); }

void SettingsDialog::applyPython()
{
    const QString interpreter = m_python->text().trimmed();
    if (interpreter == Settings::pythonInterpreter())
        return;
    Settings::setPythonInterpreter(interpreter);
    emit pythonChanged(interpreter);
    checkPython();
}

void SettingsDialog::checkPython()
{
    m_pythonState->setText(tr("Looking at the interpreter …"));
    m_job->start<QString>(
        [setting = Settings::pythonInterpreter().toStdString(), option = m_pythonOption.toStdString()](std::stop_token) {
            return describePython(setting, option);
        },
        [this](const QString& text) { m_pythonState->setText(text); });
}

void SettingsDialog::browsePython()
{
    auto* chooser = new QFileDialog(this, tr("Choose a Python interpreter"), QStringLiteral("/usr/bin"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_python->setText(path);
        applyPython();
    });
    chooser->open();
}

}  // namespace tracedeck::ui
