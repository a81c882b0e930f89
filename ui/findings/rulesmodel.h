#pragma once

#include "ui/findings/attemptexaminer.h"

#include <QAbstractTableModel>

#include <map>

namespace sweepscope::ui {

/// What each rule says of the attempts that were looked at: in how many it found something, in how many all was well,
/// and in how many it could not tell, and why.
class RulesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Rule, Result, Missing, ColumnCount };

    explicit RulesModel(QObject *parent = nullptr);

    void clear();
    /// Replaces what was known of this attempt.
    void setAttempt(const ExaminedAttempt &examined);
    /// Rules that could not tell of any attempt.
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

        int blind() const;
    };
    void add(const std::vector<diagnosis::RuleResult> &results, int by);
    QString resultText(const Sum &sum) const;

    std::vector<Sum> m_sums;
    std::map<std::pair<int, int>, std::vector<diagnosis::RuleResult>> m_attempts;
};

}  // namespace sweepscope::ui
