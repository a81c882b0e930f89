#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/models/devicereadings.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// A row for each GPU of the machine.
class DeviceRowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column { Gpu, Utilization, Memory, Temperature, Power, Use, Rule, Menu };
    static constexpr int columns = static_cast<int>(Column::Menu) + 1;
    enum Role {
        NameRole = Qt::UserRole,  ///< short name of the model; empty: all GPUs share one
        ShareRole,                ///< of the maximum, 0 to 1; invalid if unknown
        UnknownRole,              ///< the value is unknown or outdated
        ProblemRole,              ///< the text describes a problem
        WidestRole                ///< the widest text that the cell may show
    };

    explicit DeviceRowsModel(QObject *parent = nullptr);

    /// GPUs alone.
    void showDevices(const std::vector<protocol::DeviceStatus> &gpus);
    void showReadings(const std::shared_ptr<const DeviceReadings> &readings);
    void showSweep(const SweepGpus &shown);
    /// False if no sweep that uses GPUs is selected.
    bool hasRules() const { return m_hasRules; }
    /// The name shared by all GPUs; empty if they differ.
    QString sharedName() const { return m_sharedName; }

    /// Shows values without their maximum, for a narrow window. Tooltips and screen readers have both. The view must
    /// redraw.
    void setBrief(bool brief) { m_isBrief = brief; }

    /// Empty if there is no such row.
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
        sweep::GpuRule rule = sweep::GpuRule::None;
    };
    static QString valueText(const Row &row, Column column);
    QString shownText(const Row &row, Column column) const;
    QString widestText(const Row &row, Column column) const;
    static QVariant share(const Row &row, Column column);
    QString toolTip(const Row &row, Column column) const;
    QVariant icon(const Row &row, Column column) const;
    void fill(Row &row) const;
    void changed();

    std::shared_ptr<const DeviceReadings> m_readings;
    std::vector<Row> m_rows;
    QString m_sharedName;
    QString m_sweepName;
    bool m_hasRules = false;
    bool m_isBrief = false;
};

}  // namespace sweepscope::ui
