// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QPointer>
#include <memory>
#include <vector>

#include "core/store/search.h"

class QAction;

namespace tracedeck::ui {

class LatestJob;

/// What a text finds: actions of the window, names, then lines of sources and logs, which take longer and come when they are
/// there. Searches run on threads of their own; the rows of a newer text replace those of an older one.
class SearchModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        KindRole = Qt::UserRole + 1,   ///< what it is, in a word
        DetailRole                     ///< more about it, in a line
    };

    explicit SearchModel(QObject* parent = nullptr);
    ~SearchModel() override;

    /// What can be triggered; those without a text or that are disabled when a text is typed are not offered.
    void setActions(const QList<QAction*>& actions);
    void search(std::shared_ptr<const Dataset> dataset, const QString& text);
    void clear();
    /// Names, sources and logs have all been looked through for the last text.
    [[nodiscard]] bool isComplete() const { return m_pending == 0; }

    [[nodiscard]] const SearchHit* hitAt(int row) const;
    [[nodiscard]] QAction* actionAt(int row) const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

signals:
    /// Rows were added, or there will be no more.
    void changed();

private:
    struct Row {
        QPointer<QAction> action;   ///< or, when there was none, the hit
        bool isAction = false;
        SearchHit hit;
    };
    void append(std::vector<Row> rows);
    void appendHits(const std::vector<SearchHit>& hits);
    [[nodiscard]] std::vector<Row> matchingActions(const QString& text) const;

    QList<QPointer<QAction>> m_actions;
    std::vector<Row> m_rows;
    LatestJob* m_names;
    LatestJob* m_sources;
    LatestJob* m_logs;
    int m_pending = 0;
};

}  // namespace tracedeck::ui
