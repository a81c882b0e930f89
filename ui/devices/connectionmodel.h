#pragma once

#include "protocol/devicestatus.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// The connections between all GPUs of a machine: a row per GPU with its name, a column per GPU, and the CPUs near it.
/// Leaves out MIG instances, which have no connections of their own.
class ConnectionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setDevices(const std::vector<protocol::DeviceStatus> &devices);
    /// "NV12: NVLink, 12 links": all that occur, best first.
    QStringList legend() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString connection(int row, int column) const;

    struct Gpu {
        QString id;
        QString title;
        QString nearCpus;
        QMap<QString, QString> connections;
        bool operator==(const Gpu &) const = default;
    };
    std::vector<Gpu> m_gpus;
};

/// "NVLink, 12 links" for "NV12", "over the CPUs, from one NUMA node to another" for "SYS".
QString connectionText(const QString &name);

}  // namespace sweepscope::ui
