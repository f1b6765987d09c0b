// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/kind_dialogs.h"

#include <QComboBox>
#include <QLineEdit>

#include "core/store/dataset_writer.h"
#include "ui/models/workspace.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

Error incomplete(const QString& text) { return {ErrorCode::Usage, text.toStdString(), {}, 0, {}}; }

QList<QPair<QString, QString>> kindChoices()
{
    QList<QPair<QString, QString>> choices;
    for (const KernelKind& kind : kernelKinds())
        choices.append({QString::fromUtf8(kind.name), QStringLiteral("%1 – %2").arg(QString::fromUtf8(kind.name), QString::fromUtf8(kind.description))});
    return choices;
}

}  // namespace

NewDatasetDialog::NewDatasetDialog(QWidget* parent) : WorkDialog(tr("New dataset of a kind of kernel"), tr("&Make"), tr("&Open the dataset"), parent)
{
    setObjectName(QStringLiteral("newDatasetDialog"));
    setIntroduction(tr("Makes a definition with its PyTorch reference and workloads, with the shapes and the order of arguments of Hugging Face's kernels-benchmarks. "
                       "Then add implementations to it and run them."));
    m_kind = addChoice("newKind", tr("&Kind"), tr("What the kernels compute"), kindChoices());
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setMinimumContentsLength(40);
    m_dtype = addChoice("newDType", tr("&dtype"), tr("dtype of inputs and outputs"),
                        {{QString(), tr("Usual for the kind")}, {QStringLiteral("bfloat16"), QStringLiteral("bfloat16")}, {QStringLiteral("float16"), QStringLiteral("float16")}, {QStringLiteral("float32"), QStringLiteral("float32")}});
    m_sizes = addChoice("newSizes", tr("&Workloads"), tr("How large the workloads are"), {{QStringLiteral("gpu"), tr("For a GPU")}, {QStringLiteral("cpu"), tr("Smaller ones, for the CPU")}});
    m_target = addPath("newTarget", tr("&New dataset"), tr("A new or empty folder for the dataset"), PathKind::Folder);
}

Result<WorkDialog::Work> NewDatasetDialog::work()
{
    KindRequest request;
    request.kind = m_kind->currentData().toString().toStdString();
    request.dtype = m_dtype->currentData().toString().toStdString();
    request.set = m_sizes->currentData().toString() == QLatin1String("cpu") ? KindSet::Cpu : KindSet::Gpu;
    request.target = m_target->text().trimmed().toStdString();
    if (request.target.empty())
        return incomplete(tr("Choose a new or empty folder for the dataset."));
    const QString done = tr("Definition %1 with %2 workloads. Open the dataset, then add implementations with File ▸ Add an implementation.");
    return Work([request, done](const std::stop_token&) -> Result<Outcome> {
        const auto made = makeKindDataset(request);
        if (!made)
            return made.error();
        return Outcome{done.arg(QString::fromStdString(made->definition)).arg(made->workloads), QString::fromStdString(made->target.string())};
    });
}

AddImplementationDialog::AddImplementationDialog(Workspace* workspace, QWidget* parent) : WorkDialog(tr("Add an implementation"), tr("&Add"), {}, parent), m_workspace(workspace)
{
    setObjectName(QStringLiteral("addImplementationDialog"));
    setIntroduction(tr("A Python function takes the inputs in the order of the definition and returns the outputs; CUDA and C++ are given the outputs, too. "
                       "A Hub kernel is called through the Python package kernels, and must have been fetched before: a run has no network."));
    QList<QPair<QString, QString>> definitions;
    for (const auto& definition : workspace->dataset()->definitions())
        definitions.append({QString::fromStdString(definition->name), QString::fromStdString(definition->name)});
    m_definition = addChoice("addDefinition", tr("&Definition"), tr("What it implements"), definitions);
    m_definition->setCurrentIndex(std::max(0, m_definition->findData(workspace->currentDefinition())));
    m_source = addChoice("addSource", tr("&From"), tr("Where the implementation is"), {{QStringLiteral("file"), tr("A Python, CUDA or C++ file")}, {QStringLiteral("hub"), tr("A kernel of the Hugging Face Hub")}});
    m_file = addPath("addFile", tr("F&ile"), tr("A .py, .cu or .cpp file"), PathKind::ExistingFile, {tr("Implementations (*.py *.cu *.cpp *.cc)"), tr("All files (*)")});
    m_function = addText("addFunction", tr("F&unction"), tr("The function to call"), QStringLiteral("run"));
    m_repository = addText("addHubKernel", tr("Hub &kernel"), tr("A Hub kernel by its name, owner/name"), tr("The one that is known for the kind"));
    m_revision = addText("addRevision", tr("&Revision"), tr("Branch, tag or commit of the Hub kernel"), tr("The newest that was fetched"));
    m_call = addText("addCall", tr("Ca&ll"), tr("Python that calls the module kernel with the inputs by name and returns the outputs"), QStringLiteral("return kernel.function(x)"));
    m_name = addText("addName", tr("&Name"), tr("Name of the solution"));
    m_author = addText("addAuthor", tr("Aut&hor"), tr("Author of the solution"));
    m_author->setText(QStringLiteral("me"));
    connect(m_source, &QComboBox::currentIndexChanged, this, &AddImplementationDialog::updateFields);
    connect(this, &WorkDialog::workEnded, this, [this](bool done) {
        if (done)
            emit added();
    });
    updateFields();
}

void AddImplementationDialog::updateFields()
{
    const bool isHub = m_source->currentData().toString() == QLatin1String("hub");
    for (QWidget* field : {m_file, m_function})
        setFieldVisible(field, !isHub);
    for (QWidget* field : {m_repository, m_revision, m_call})
        setFieldVisible(field, isHub);
}

Result<WorkDialog::Work> AddImplementationDialog::work()
{
    const bool isHub = m_source->currentData().toString() == QLatin1String("hub");
    ImplementationRequest request;
    request.definition = m_definition->currentData().toString().toStdString();
    request.name = m_name->text().trimmed().toStdString();
    request.author = m_author->text().trimmed().toStdString();
    if (request.name.empty() || request.author.empty())
        return incomplete(tr("Give the solution a name and an author."));
    if (isHub) {
        request.hubRepository = m_repository->text().trimmed().toStdString();
        request.hubRevision = m_revision->text().trimmed().toStdString();
        request.hubCall = m_call->text().trimmed().toStdString();
    } else {
        request.file = m_file->text().trimmed().toStdString();
        request.function = m_function->text().trimmed().toStdString();
        if (request.file.empty())
            return incomplete(tr("Choose the file of the implementation."));
    }
    const QString done = tr("Added the solution %1. Tick it in the tree and run it.");
    return Work([request, done, dataset = m_workspace->plainDataset()](const std::stop_token&) -> Result<Outcome> {
        const auto solution = makeImplementation(*dataset, request);
        if (!solution)
            return solution.error();
        const auto file = addSolution(*dataset, *solution);
        if (!file)
            return file.error();
        return Outcome{done.arg(visibleText(QString::fromStdString(solution->name))), {}};
    });
}

}  // namespace tracedeck::ui
