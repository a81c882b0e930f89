#pragma once

#include "ui/examination/attemptexaminer.h"

#include <QAbstractTableModel>

#include <map>

namespace sweepscope::ui {

/// The results of each rule over the examined attempts: in how many it found something, found nothing, could not
/// decide or does not apply, and why.
class RulesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Rule, Result, Reason, ColumnCount };
    /// Orders rows by result: found, passed, not enough data, not applicable.
    static constexpr int OrderRole = Qt::UserRole;

    explicit RulesModel(QObject *parent = nullptr);

    void clear();
    /// Replaces the results of this attempt.
    void setAttempt(const ExaminedAttempt &examined);
    /// Number of rules that could not decide for any attempt.
    int blindRules() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Sum {
        std::string rule;
        int found = 0;
        int clear = 0;
        std::map<std::string, int> missing;
        std::map<std::string, int> inapplicable;
    };
    void add(const std::vector<diagnosis::RuleResult> &results, int by);
    QString resultText(const Sum &sum) const;

    std::vector<Sum> m_sums;
    std::map<std::pair<int, int>, std::vector<diagnosis::RuleResult>> m_attempts;
};

}  // namespace sweepscope::ui
