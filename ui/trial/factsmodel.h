#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// A line of a short table on the Trial page.
struct Fact {
    QStringList cells;
    QString toolTip;  ///< of the whole line
    QIcon icon;       ///< in front of the first cell
    int iconCell = 0;
    QString target;  ///< opened on activation; empty for none

    bool operator==(const Fact &other) const
    {
        return cells == other.cells && toolTip == other.toolTip && target == other.target;
    }
};

/// Short tables of text, set as a whole. Equal rows stay, and with them the selection.
class FactsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int targetRole = Qt::UserRole;

    /// Columns from `firstNumber` on contain numbers.
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
