#pragma once

#include "protocol/devicestatus.h"
#include "ui/examination/attemptexaminer.h"

#include <QAbstractListModel>

#include <array>

namespace sweepscope::ui {

/// The findings of a sweep, by start time, newest first.
class FindingsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        FindingRole = Qt::UserRole,  ///< const ShownFinding *, valid until the model changes
        PlaceRole,
        ExtentRole,  ///< the number of findings in a group; else empty
        TrialRole
    };
    static constexpr int mostRows = 2000;

    using QAbstractListModel::QAbstractListModel;

    void clear();
    /// Sets the devices that give findings their device names.
    void setMachine(const std::vector<protocol::DeviceStatus> &machine);
    /// Replaces the findings of this attempt.
    void setAttempt(const ExaminedAttempt &examined);

    const ShownFinding &finding(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// "Trial 3 · rank 1 · GPU 3"
    QString place(const diagnosis::Finding &finding) const;
    /// Returns the row of the finding, or of another one of the same rule and attempt, because a running attempt is
    /// examined repeatedly; -1 if there is none.
    int rowOf(const diagnosis::Finding &finding) const;
    int count(diagnosis::Severity severity) const;
    /// Whether older findings were left out.
    bool isFull() const { return m_isFull; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void insert(const ShownFinding &finding);

    std::vector<ShownFinding> m_rows;
    std::vector<protocol::DeviceStatus> m_machine;
    bool m_isFull = false;
};

/// Everything about a finding, in several lines.
QString findingText(const ShownFinding &shown, const QString &place);

}  // namespace sweepscope::ui
