// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/running_settings.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "core/build/cuda_toolkit.h"
#include "core/io/child_process.h"
#include "core/model/text.h"
#include "core/run/python_environment.h"
#include "ui/models/latest_job.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// What the toolkit that counts says of itself, or what is wrong with it.
QString describeToolkit()
{
    const auto toolkit = findCudaToolkit();
    if (!toolkit)
        return QString::fromStdString(toolkit.error().reason);
    ChildSpec spec;
    spec.command = {toolkit->nvcc.string(), "--version"};
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = 20, .capBytes = 65536});
    const QString nvcc = QString::fromStdString(toolkit->nvcc.string());
    if (!run || run->timedOut || !run->exit.succeeded())
        return RunningSettings::tr("%1 does not work: install the CUDA Toolkit again").arg(nvcc);
    const QString printed = QString::fromStdString(run->output);
    const qsizetype release = printed.indexOf(u"release ");
    QString text = RunningSettings::tr("%1: %2").arg(nvcc, (release < 0 ? printed : printed.mid(release)).section(u'\n', 0, 0));
    if (toolkit->libraryFolder.empty())
        text += QLatin1Char('\n') + RunningSettings::tr("There is no libcudart.so beside it: CUDA solutions can't be linked. Install the whole CUDA Toolkit.");
    return text;
}

QString cacheTitle(const QString& name)
{
    if (name == u"builds")
        return RunningSettings::tr("Compiled solutions");
    if (name == u"kernels")
        return RunningSettings::tr("Kernels that Triton compiled");
    return RunningSettings::tr("Reports of Nsight Compute");
}

/// What doctor says about walls.
QString describeConfinement()
{
    for (const Finding& finding : confinementFindings())
        return QString::fromStdString(finding.found) + (finding.remedy.empty() ? QString() : QLatin1Char('\n') + QString::fromStdString(finding.remedy));
    return {};
}

}  // namespace

RunningSettings::RunningSettings(QFormLayout* form, QWidget* parent)
    : QWidget(parent), m_toolkitJob(new LatestJob(this)), m_confinementJob(new LatestJob(this)), m_cachesJob(new LatestJob(this))
{
    hide();   // the rows are the form's
    addToolkit(form);
    addConfinement(form);
    addCaches(form);
    checkToolkit();
    checkConfinement();
    measureCaches();
}

RunningSettings::~RunningSettings() = default;

QString RunningSettings::toolkitState() const { return m_toolkitState->text(); }
bool RunningSettings::isBusy() const { return m_toolkitJob->isRunning() || m_confinementJob->isRunning() || m_cachesJob->isRunning(); }

void RunningSettings::addToolkit(QFormLayout* form)
{
    auto* owner = parentWidget();
    m_toolkit = new QLineEdit(Settings::cudaToolkit(), owner);
    m_toolkit->setObjectName(QStringLiteral("toolkitEdit"));
    m_toolkit->setPlaceholderText(tr("Automatic"));
    m_toolkit->setClearButtonEnabled(true);
    m_toolkit->setToolTip(tr("Folder of the CUDA Toolkit or its nvcc, which compiles CUDA solutions; empty: found automatically"));
    auto* browse = new QPushButton(tr("Bro&wse…"), owner);
    browse->setAccessibleName(tr("Browse for nvcc"));
    m_toolkitState = new WrappedLabel(owner);
    m_toolkitState->setObjectName(QStringLiteral("toolkitState"));
    m_toolkitState->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_toolkitState->setMinimumHeight(2 * fontMetrics().height());
    auto* row = new QHBoxLayout;
    row->setSpacing(Space::kNormal);
    row->addWidget(m_toolkit, 1);
    row->addWidget(browse);
    form->addRow(tr("&CUDA Toolkit"), row);
    static_cast<QLabel*>(form->labelForField(row))->setBuddy(m_toolkit);
    form->addRow(QString(), m_toolkitState);
    connect(m_toolkit, &QLineEdit::editingFinished, this, &RunningSettings::applyToolkit);
    connect(browse, &QPushButton::clicked, this, &RunningSettings::browseToolkit);
}

void RunningSettings::addConfinement(QFormLayout* form)
{
    auto* owner = parentWidget();
    m_confinement = new QComboBox(owner);
    m_confinement->setObjectName(QStringLiteral("confinementBox"));
    for (const auto& [degree, text] : {std::pair{"auto", tr("As much as this system allows")}, std::pair{"full", tr("Full, or nothing is run")},
                                       std::pair{"partial", tr("Partial: without namespaces")}, std::pair{"none", tr("None but limits: only for code that you trust")}})
        m_confinement->addItem(text, QString::fromLatin1(degree));
    m_confinement->setCurrentIndex(std::max(0, m_confinement->findData(Settings::confinement())));
    m_confinement->setToolTip(tr("How far solutions and compilers are kept from files, network and other processes; every trace says it"));
    m_confinementState = new WrappedLabel(owner);
    m_confinementState->setObjectName(QStringLiteral("confinementState"));
    m_confinementState->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    form->addRow(tr("Confine&ment"), m_confinement);
    form->addRow(QString(), m_confinementState);
    connect(m_confinement, &QComboBox::activated, this, [this] { Settings::setConfinement(m_confinement->currentData().toString()); });
}

void RunningSettings::addCaches(QFormLayout* form)
{
    auto* owner = parentWidget();
    for (const char* id : {"builds", "kernels", "profiles"}) {
        const QString name = QString::fromLatin1(id);
        auto* size = new MutedLabel(tr("Measuring …"), owner);
        size->setObjectName(QStringLiteral("cacheSize_%1").arg(name));
        auto* clear = new QPushButton(tr("Clear…"), owner);
        clear->setObjectName(QStringLiteral("clearCache_%1").arg(name));
        clear->setAccessibleName(tr("Clear: %1").arg(cacheTitle(name)));
        clear->setToolTip(tr("Delete these files; what is needed again is made anew"));
        clear->setEnabled(false);
        auto* row = new QHBoxLayout;
        row->addWidget(size, 1);
        row->addWidget(clear);
        form->addRow(cacheTitle(name), row);
        m_caches.push_back({name, size, clear});
        connect(clear, &QPushButton::clicked, this, [this, name] { askToClear(name); });
    }
}

void RunningSettings::applyToolkit()
{
    const QString path = m_toolkit->text().trimmed();
    if (path == Settings::cudaToolkit())
        return;
    Settings::setCudaToolkit(path);
    chooseCudaToolkit(path.toStdString());
    checkToolkit();
}

void RunningSettings::checkToolkit()
{
    m_toolkitState->setText(tr("Looking at the toolkit …"));
    m_toolkitJob->start<QString>([](std::stop_token) { return describeToolkit(); }, [this](const QString& text) { m_toolkitState->setText(text); });
}

void RunningSettings::checkConfinement()
{
    m_confinementState->setText(tr("Looking at what this system allows …"));
    m_confinementJob->start<QString>([](std::stop_token) { return describeConfinement(); }, [this](const QString& text) { m_confinementState->setText(text); });
}

void RunningSettings::browseToolkit()
{
    auto* chooser = new QFileDialog(this, tr("Choose nvcc"), QStringLiteral("/usr/local"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_toolkit->setText(path);
        applyToolkit();
    });
    chooser->open();
}

void RunningSettings::measureCaches()
{
    m_cachesJob->start<std::vector<CacheUse>>([](std::stop_token stop) { return findCaches(stop); },
                                              [this](const std::vector<CacheUse>& caches) {
                                                  for (const CacheRow& row : m_caches) {
                                                      const auto cache = std::find_if(caches.begin(), caches.end(), [&row](const CacheUse& one) { return row.name.toStdString() == one.name; });
                                                      const bool isThere = cache != caches.end() && cache->files > 0;
                                                      row.size->setText(cache == caches.end() ? tr("there is no cache folder") : QString::fromStdString(tracedeck::bytesText(cache->bytes)));
                                                      row.size->setToolTip(cache == caches.end() ? QString() : QString::fromStdString(cache->folder.string()));
                                                      row.clear->setEnabled(isThere && !m_running);
                                                  }
                                              });
}

void RunningSettings::setRunning(bool running)
{
    m_running = running;
    measureCaches();
}

void RunningSettings::askToClear(const QString& name)
{
    const auto row = std::find_if(m_caches.begin(), m_caches.end(), [&name](const CacheRow& one) { return one.name == name; });
    auto* question = new QMessageBox(QMessageBox::Question, tr("Clear"), tr("Delete “%1” (%2)?").arg(cacheTitle(name), row->size->text()), QMessageBox::Cancel, parentWidget());
    question->setObjectName(QStringLiteral("clearQuestion"));
    question->setInformativeText(tr("What is needed again is made anew. No dataset is touched. Runs that another window or command has under way may fail."));
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* remove = question->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this, name] {
        for (const CacheRow& one : m_caches)
            if (one.name == name) {
                one.size->setText(tr("Deleting …"));
                one.clear->setEnabled(false);
            }
        m_cachesJob->start<Result<std::uint64_t>>([id = name.toStdString()](std::stop_token) { return clearCache(id); },
                                                  [this, name](const Result<std::uint64_t>& freed) {
                                                      if (freed) {
                                                          measureCaches();
                                                          return;
                                                      }
                                                      for (const CacheRow& one : m_caches)
                                                          if (one.name == name)
                                                              one.size->setText(QString::fromStdString(freed.error().toString()));
                                                  });
    });
    question->open();
}

}  // namespace tracedeck::ui
