// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/table_tools.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QItemSelectionModel>
#include <QMenu>
#include <QProgressDialog>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <atomic>

#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/pages/export_files.h"
#include "ui/settings/settings.h"
#include "ui/style/icons.h"
#include "ui/style/sort_header.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kProgressPollMs = 33;
/// A quick export shows no progress.
constexpr int kProgressDelayMs = 400;

TableCell cellOf(const QVariant& value)
{
    switch (value.userType()) {
    case QMetaType::UnknownType: return {};
    case QMetaType::Double: return value.toDouble();
    case QMetaType::Int:
    case QMetaType::LongLong: return static_cast<std::int64_t>(value.toLongLong());
    default: return value.toString().toStdString();
    }
}

QString fullText(const QVariant& cell) { return cell.userType() == QMetaType::Double ? exactText(cell.toDouble()) : cell.toString(); }

}  // namespace

TableTools::TableTools(QTableView* view, const QString& name, const QString& nameColumn, QObject* parent)
    : QObject(parent), m_view(view), m_header(qobject_cast<SortHeader*>(view->horizontalHeader())), m_name(name), m_nameColumn(nameColumn),
      m_progressTimer(new QTimer(this)), m_exportJob(new LatestJob(this))
{
    Q_ASSERT(m_header);
    m_view->setSortingEnabled(false);   // the header's clicks make several keys
    m_header->setSectionsClickable(true);
    m_header->setContextMenuPolicy(Qt::CustomContextMenu);
    m_copy = addAction(QStringLiteral("copyAsSeen"), tr("&Copy"), QKeySequence(QKeySequence::Copy), tr("Copy the selected rows as they are seen"));
    m_copyFull = addAction(QStringLiteral("copyFullPrecision"), tr("Copy with full &precision"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                           tr("Copy the selected rows with every digit"));
    m_export = new QAction(icon(QStringLiteral("export")), tr("Export &table as shown…"), this);
    m_export->setObjectName(QStringLiteral("exportTable_") + name);
    m_export->setToolTip(tr("Write the rows and columns of the table as CSV, JSON, Markdown or LaTeX"));
    connect(m_copy, &QAction::triggered, this, &TableTools::copyAsSeen);
    connect(m_copyFull, &QAction::triggered, this, &TableTools::copyFullPrecision);
    connect(m_export, &QAction::triggered, this, &TableTools::askForFile);
    connect(m_header, &QHeaderView::sectionClicked, this, [this](int section) {
        const bool adds = QApplication::keyboardModifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
        showSortKeys(keysAfterClick(m_keys, section, adds));
        emit sortRequested(m_keys);
    });
    connect(m_header, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& position) { showColumnMenu(m_header->viewport()->mapToGlobal(position)); });
    // Columns may be other ones now: workloads have one for each axis of the definition.
    const QAbstractItemModel* model = view->model();
    for (const auto signal : {&QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved})
        connect(model, signal, this, &TableTools::applyColumns);
    connect(model, &QAbstractItemModel::modelReset, this, &TableTools::applyColumns);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, signal, this, &TableTools::updateExportAction);
    m_progressTimer->setInterval(kProgressPollMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] {
        if (m_progress)
            m_progress->setValue(static_cast<int>(std::min<std::size_t>(m_rowsDone->load(), static_cast<std::size_t>(m_progress->maximum() - 1))));
    });
    applyColumns();
}

TableTools::~TableTools() = default;

QAction* TableTools::addAction(const QString& name, const QString& text, const QKeySequence& keys, const QString& tip)
{
    auto* action = new QAction(text, m_view);   // the keyboard map names the table
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tip);
    m_view->addAction(action);
    return action;
}

void TableTools::setHiddenByDefault(const QString& columnKey, bool hidden)
{
    if (hidden == m_hiddenByDefault.contains(columnKey))
        return;
    if (hidden)
        m_hiddenByDefault.insert(columnKey);
    else
        m_hiddenByDefault.remove(columnKey);
    applyColumns();
}

void TableTools::setHiddenByDefault(const QStringList& columnKeys)
{
    m_hiddenByDefault.unite(QSet<QString>(columnKeys.begin(), columnKeys.end()));
    applyColumns();
}

void TableTools::showSortKeys(const SortKeys& keys)
{
    m_keys = keys;
    m_header->setKeys(keys);
}

QStringList TableTools::sortState() const
{
    QStringList state;
    for (const SortKey& key : m_keys)
        state << (key.order == Qt::DescendingOrder ? QStringLiteral("-") : QString()) + columnKey(key.column);
    return state;
}

void TableTools::restoreSort(const QStringList& state)
{
    SortKeys keys;
    for (const QString& text : state) {
        const bool descending = text.startsWith(QLatin1Char('-'));
        for (int column = 0; column < m_view->model()->columnCount(); ++column)
            if (columnKey(column) == text.mid(descending ? 1 : 0))
                keys.push_back({column, descending ? Qt::DescendingOrder : Qt::AscendingOrder});
    }
    if (keys == m_keys)
        return;
    showSortKeys(keys);
    emit sortRequested(m_keys);
}

void TableTools::setTableSource(std::function<TableToWrite(const std::vector<int>&)> source) { m_source = std::move(source); }

QString TableTools::columnKey(int column) const { return m_view->model()->headerData(column, Qt::Horizontal, kColumnKeyRole).toString(); }

void TableTools::applyColumns()
{
    const int count = m_view->model()->columnCount();
    for (int column = 0; column < count; ++column) {
        const QString key = columnKey(column);
        const bool shown = key == m_nameColumn || Settings::columnShown(m_name, key).value_or(!m_hiddenByDefault.contains(key));
        if (m_view->isColumnHidden(column) == shown)
            m_view->setColumnHidden(column, !shown);
    }
    updateExportAction();
}

void TableTools::setShown(int column, bool shown)
{
    Settings::setColumnShown(m_name, columnKey(column), shown);
    m_view->setColumnHidden(column, !shown);
}

void TableTools::chooseColumns() { showColumnMenu(m_header->viewport()->mapToGlobal(QPoint(0, m_header->height()))); }

void TableTools::showColumnMenu(const QPoint& globalPosition)
{
    auto* menu = new QMenu(m_view);
    menu->setObjectName(QStringLiteral("columnMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        QAction* action = menu->addAction(withoutMnemonic(visibleText(m_view->model()->headerData(column, Qt::Horizontal).toString())));
        action->setObjectName(QStringLiteral("column ") + columnKey(column));
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
        const bool isName = columnKey(column) == m_nameColumn;
        action->setEnabled(!isName);
        action->setToolTip(isName ? tr("This column says what a row is; it is always shown") : tr("Show or hide this column"));
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setShown(column, shown); });
    }
    menu->addSeparator();
    const auto add = [menu](const QString& text, const QString& tip) {
        QAction* action = menu->addAction(text);
        action->setToolTip(tip);
        return action;
    };
    connect(add(tr("&Usual columns"), tr("Forget which columns were chosen")), &QAction::triggered, this, [this] {
        Settings::forgetColumns(m_name);
        applyColumns();
    });
    QAction* unsorted = add(tr("Not &sorted"), tr("Forget the order; click a header to sort, Shift+click to sort within that order"));
    unsorted->setEnabled(!m_keys.empty());
    connect(unsorted, &QAction::triggered, this, [this] {
        showSortKeys({});
        emit sortRequested(m_keys);
    });
    menu->popup(globalPosition);
}

std::vector<int> TableTools::shownColumns() const
{
    std::vector<int> columns;
    for (int visual = 0; visual < m_header->count(); ++visual)
        if (const int column = m_header->logicalIndex(visual); !m_view->isColumnHidden(column))
            columns.push_back(column);
    return columns;
}

std::vector<int> TableTools::selectedRows() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void TableTools::copyAsSeen() { copy(Qt::DisplayRole); }
void TableTools::copyFullPrecision() { copy(kCellRole); }

void TableTools::copy(int role)
{
    const QAbstractItemModel* model = m_view->model();
    const std::vector<int> columns = shownColumns();
    QStringList cells;
    for (const int column : columns)
        cells << model->headerData(column, Qt::Horizontal).toString().simplified();
    QStringList lines{cells.join(QLatin1Char('\t'))};
    for (const int row : selectedRows()) {
        cells.clear();
        for (const int column : columns) {
            const QVariant value = model->index(row, column).data(role);
            cells << (role == kCellRole ? fullText(value) : value.toString()).simplified();   // a tab in a name would move what follows
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    if (lines.size() > 1)
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

TableToWrite TableTools::tableOfModel(const std::vector<int>& columns) const
{
    const QAbstractItemModel* model = m_view->model();
    auto cells = std::make_shared<std::vector<TableCell>>();
    TableToWrite table;
    table.rowCount = static_cast<std::size_t>(model->rowCount());
    for (const int column : columns) {
        const auto alignment = model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        table.columns.push_back({model->headerData(column, Qt::Horizontal).toString().toStdString(), (alignment & Qt::AlignRight) != 0});
    }
    cells->reserve(table.rowCount * columns.size());
    for (int row = 0; row < model->rowCount(); ++row)
        for (const int column : columns)
            cells->push_back(cellOf(model->index(row, column).data(kCellRole)));
    table.cell = [cells, width = columns.size()](std::size_t row, std::size_t column) { return (*cells)[row * width + column]; };
    return table;
}

void TableTools::updateExportAction() { m_export->setEnabled(m_view->model()->rowCount() > 0); }

bool TableTools::isExporting() const { return m_exportJob->isRunning(); }

void TableTools::askForFile()
{
    chooseExportFile(m_view, tr("Export table"), fileNameFrom(m_fileName ? m_fileName() : m_name),
                     {QStringLiteral("csv"), QStringLiteral("json"), QStringLiteral("md"), QStringLiteral("tex")}, [this](const QString& path) { exportTo(path); });
}

void TableTools::exportTo(const QString& path)
{
    const std::vector<int> columns = shownColumns();
    TableToWrite table = m_source ? m_source(columns) : tableOfModel(columns);
    const TableFormat format = tableFormatOf(path.toStdString()).value_or(TableFormat::Csv);
    const int rows = std::max(static_cast<int>(table.rowCount), 1);
    m_rowsDone = std::make_shared<std::atomic<std::size_t>>(0);
    delete m_progress;
    m_progress = new QProgressDialog(tr("Writing %1 …").arg(visibleText(QFileInfo(path).fileName())), tr("&Cancel"), 0, rows, m_view->window());
    m_progress->setObjectName(QStringLiteral("exportProgress"));
    m_progress->setWindowTitle(tr("Export table"));
    m_progress->setMinimumDuration(kProgressDelayMs);
    m_progress->setAutoClose(false);
    m_progress->setAutoReset(false);
    m_progress->setValue(0);
    const auto end = [this, path](bool written) {
        m_progressTimer->stop();
        if (m_progress)
            m_progress->deleteLater();
        m_progress = nullptr;
        emit exportEnded(path, written);
    };
    connect(m_progress, &QProgressDialog::canceled, this, [this, end] {
        m_exportJob->cancel();
        end(false);
    });
    m_progressTimer->start();
    m_exportJob->start<Result<void>>(
        [table = std::move(table), format, path, done = m_rowsDone](std::stop_token stop) {
            return writeTable(table, format, path.toStdString(), [done](std::size_t count) { done->store(count); }, stop);
        },
        [this, path, end](const Result<void>& written) {
            end(written.has_value());
            if (!written)
                showExportError(m_view, path, written.error());
        });
}

}  // namespace tracedeck::ui
