#pragma once

#include "protocol/devicestatus.h"
#include "ui/findings/attemptexaminer.h"

#include <QAbstractListModel>

#include <array>

namespace sweepscope::ui {

/// The findings of a sweep, those first that began last.
class FindingsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        FindingRole = Qt::UserRole,  ///< const ShownFinding *, until the model changes
        PlaceRole,
        ExtentRole,  ///< of many alike that are one row: how many; else empty
        TrialRole
    };
    static constexpr int mostRows = 2000;

    using QAbstractListModel::QAbstractListModel;

    void clear();
    /// By which devices are named.
    void setMachine(const std::vector<protocol::DeviceStatus> &machine);
    /// Replaces what was known of this attempt.
    void setAttempt(const ExaminedAttempt &examined);

    const ShownFinding &finding(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// "Trial 3 · rank 1 · GPU 3"
    QString place(const diagnosis::Finding &finding) const;
    /// The row of this one, or of another one of its rule in the same attempt: those that run are looked at again and
    /// again. -1: there is none.
    int rowOf(const diagnosis::Finding &finding) const;
    int count(diagnosis::Severity severity) const;
    /// Older ones were left out.
    bool isFull() const { return m_isFull; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void insert(const ShownFinding &finding);

    std::vector<ShownFinding> m_rows;
    std::vector<protocol::DeviceStatus> m_machine;
    bool m_isFull = false;
};

/// All that is to be said of a finding, a line each.
QString findingText(const ShownFinding &shown, const QString &place);

}  // namespace sweepscope::ui
