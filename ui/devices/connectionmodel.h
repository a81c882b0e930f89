#pragma once

#include "protocol/devicestatus.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// What lies between the GPUs of a machine, each with each, and the CPUs near them: a row for each GPU, with its name, a
/// column for each GPU, and the CPUs. MIG instances, which have no connections of their own, are not in it.
class ConnectionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setDevices(const std::vector<protocol::DeviceStatus> &devices);
    /// "NV12: NVLink, 12 links": of each that there is, the best first.
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

/// "NVLink, 12 links" of "NV12", "over the CPUs, from one NUMA node to another" of "SYS".
QString connectionText(const QString &name);

}  // namespace sweepscope::ui
