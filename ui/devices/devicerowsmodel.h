#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/recentreadings.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// The GPUs of the machine, a row for each.
class DeviceRowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column { Gpu, Utilization, Memory, Temperature, Power, Use, Rule, Menu };
    static constexpr int columns = static_cast<int>(Column::Menu) + 1;
    enum Role {
        NameRole = Qt::UserRole,  ///< of the model, short; empty: all have one name
        ShareRole,                ///< of what there is, 0 to 1; invalid: it is not known
        UnknownRole,              ///< the text says that it is not known, or is of earlier
        ProblemRole,              ///< the text says what is wrong
        WidestRole                ///< what the text may become as it is read again
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// GPUs alone. `live`: the readings are of now.
    void showDevices(const std::vector<protocol::DeviceStatus> &gpus, const DeviceReadings &readings, bool live);
    void showSweep(const SweepGpus &shown);
    /// No sweep that computes on GPUs is shown.
    bool hasRules() const { return m_hasRules; }
    /// Of all of them; empty: there are several.
    QString sharedName() const { return m_sharedName; }

    /// For little room: values without what there is of it. Tool tips and screen readers say both. The view redraws.
    void setBrief(bool brief) { m_isBrief = brief; }

    /// Empty: there is no such row.
    QString deviceId(int row) const;
    int rowOf(const QString &deviceId) const;
    int inUse() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        protocol::DeviceStatus device;
        std::optional<double> utilization;
        std::optional<double> memory;
        std::optional<double> memoryTotal;
        std::optional<double> temperature;
        std::optional<double> power;
        std::optional<double> powerLimit;
        QString lease;
        sweep::GpuRule rule = sweep::GpuRule::None;
    };
    static QString valueText(const Row &row, Column column);
    QString shownText(const Row &row, Column column) const;
    QString widestText(const Row &row, Column column) const;
    static QVariant share(const Row &row, Column column);
    QString toolTip(const Row &row, Column column) const;
    QVariant icon(const Row &row, Column column) const;
    void changed();

    std::vector<Row> m_rows;
    QString m_sharedName;
    QString m_sweepName;
    bool m_hasRules = false;
    bool m_live = false;
    bool m_isBrief = false;
};

}  // namespace sweepscope::ui
