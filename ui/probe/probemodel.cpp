#include "ui/probe/probemodel.h"

#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"

#include <QGuiApplication>
#include <QLocale>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void ProbeModel::setProbe(const diagnosis::BatchProbe &probe)
{
    beginResetModel();
    m_probe = probe;
    endResetModel();
}

int ProbeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_probe.measurements.size());
}

int ProbeModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

std::optional<double> ProbeModel::number(const diagnosis::BatchMeasurement &measurement, Column column) const
{
    switch (column) {
    case Column::Value:
        return measurement.value;
    case Column::Throughput:
        return measurement.samplesPerSecond;
    case Column::Share: {
        const auto peak = std::ranges::max_element(m_probe.measurements, {}, [](const auto &one) {
            return one.samplesPerSecond.value_or(0);
        });  // there is one: this measurement
        const double highest = peak->samplesPerSecond.value_or(0);
        return measurement.samplesPerSecond && highest > 0 ? std::optional(*measurement.samplesPerSecond / highest)
                                                           : std::nullopt;
    }
    case Column::Utilization:
        return measurement.utilization;
    case Column::Memory:
        return measurement.memory;
    case Column::Trial:
        return measurement.trial;
    case Column::Remark:
        break;
    }
    return std::nullopt;
}

QString ProbeModel::text(const diagnosis::BatchMeasurement &measurement, Column column) const
{
    constexpr double mebibyte = 1024.0 * 1024.0;
    const QLocale locale;
    switch (column) {
    case Column::Value:
        return numberText(measurement.value);
    case Column::Throughput:
        if (!measurement.samplesPerSecond)
            return u"–"_s;
        return measurement.error > 0 ? tr("%1 ± %2%")
                                           .arg(locale.toString(*measurement.samplesPerSecond, 'f', 0))
                                           .arg(locale.toString(100 * measurement.error, 'f', 1))
                                     : locale.toString(*measurement.samplesPerSecond, 'f', 0);
    case Column::Share: {
        const std::optional<double> share = number(measurement, column);
        return share ? tr("%1%").arg(qRound(100 * *share)) : u"–"_s;
    }
    case Column::Utilization:
        return measurement.utilization ? tr("%1%").arg(qRound(*measurement.utilization)) : u"–"_s;
    case Column::Memory:
        return measurement.memory ? tr("%1 MiB").arg(locale.toString(*measurement.memory / mebibyte, 'f', 0)) : u"–"_s;
    case Column::Trial:
        return QString::number(measurement.trial);
    case Column::Remark:
        return sentenceText(QString::fromStdString(measurement.remark));
    }
    return {};
}

QVariant ProbeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const diagnosis::BatchMeasurement &measurement = m_probe.measurements[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(measurement, column);
    case SortRole: {
        const std::optional<double> value = number(measurement, column);
        return value ? QVariant(*value) : column == Column::Remark ? text(measurement, column) : QVariant();
    }
    case Qt::FontRole:  // the suggestion
        return m_probe.knee == measurement.value ? QVariant(emphasisFont(QGuiApplication::font())) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((column == Column::Remark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ProbeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::Remark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == Column::Throughput)
        return tr("All ranks together, with the standard error of the mean step time");
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Value:
        return QString::fromStdString(m_probe.parameter);
    case Column::Throughput:
        return tr("Samples/s");
    case Column::Share:
        return tr("Of peak");
    case Column::Utilization:
        return m_probe.onGpus ? tr("GPU utilization") : tr("CPU per rank");
    case Column::Memory:
        return m_probe.onGpus ? tr("GPU memory") : tr("Memory");
    case Column::Trial:
        return tr("Trial");
    case Column::Remark:
        return tr("Remark");
    }
    return {};
}

}  // namespace sweepscope::ui
