#pragma once

#include "ui/models/trialfilter.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace sweepscope::ui {

/// Sorts by raw values (those that are missing or NaN last, whatever the direction) and keeps the rows that fit.
class TrialFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit TrialFilterProxy(TrialTableModel *model, QObject *parent = nullptr);

    void setFilterText(const QString &text);
    /// Empty: all states.
    void setStates(std::vector<sweep::TrialState> states);
    bool isFiltering() const { return !m_filter.isEmpty() || !m_states.empty(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    const TrialTableModel *m_model;
    TrialFilter m_filter;
    std::vector<sweep::TrialState> m_states;
};

}  // namespace sweepscope::ui
