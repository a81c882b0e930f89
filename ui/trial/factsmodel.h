#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// One line of a short table: what a trial's page knows.
struct Fact {
    QStringList cells;
    QString toolTip;  ///< of the whole line
    QIcon icon;       ///< before the first cell
    int iconCell = 0;
    QString target;  ///< what activating it opens; empty: nothing

    bool operator==(const Fact &other) const
    {
        return cells == other.cells && toolTip == other.toolTip && target == other.target;
    }
};

/// Short tables of texts, set as a whole. What is equal stays, so that a selection does too.
class FactsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int targetRole = Qt::UserRole;

    /// Columns from `firstNumber` on are numbers.
    explicit FactsModel(QStringList titles, int firstNumber, QObject *parent = nullptr);

    void setFacts(std::vector<Fact> facts);
    const std::vector<Fact> &facts() const { return m_facts; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QStringList m_titles;
    int m_firstNumber;
    std::vector<Fact> m_facts;
};

}  // namespace sweepscope::ui
