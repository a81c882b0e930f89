#include "protocol/metriccodec.h"

#include "protocol/cborfields.h"

namespace sweepscope::protocol {

QCborArray toCbor(const std::vector<sweep::MetricValue> &metrics)
{
    QCborArray array;
    for (const sweep::MetricValue &metric : metrics) {
        array.append(text(metric.name));
        array.append(metric.last);
        array.append(static_cast<qint64>(metric.step));
        array.append(metric.lowest);
        array.append(metric.highest);
    }
    return array;
}

Expected<std::vector<sweep::MetricValue>> metricsFromCbor(const QCborValue &untrusted)
{
    constexpr qsizetype fieldsOfOne = 5;
    const QCborArray array = untrusted.toArray();
    if (!untrusted.isArray() || array.size() % fieldsOfOne != 0
        || array.size() / fieldsOfOne > static_cast<qsizetype>(sweep::mostMetrics))
        return makeError(ErrorCode::Corrupt, "invalid metrics: not a list of names and numbers");
    const auto isNumber = [](const QCborValue &value) { return value.isDouble() || value.isInteger(); };
    std::vector<sweep::MetricValue> metrics;
    metrics.reserve(static_cast<std::size_t>(array.size() / fieldsOfOne));
    for (qsizetype i = 0; i < array.size(); i += fieldsOfOne) {
        if (!array.at(i).isString() || !isNumber(array.at(i + 1)) || !array.at(i + 2).isInteger()
            || !isNumber(array.at(i + 3)) || !isNumber(array.at(i + 4)))
            return makeError(ErrorCode::Corrupt, "invalid metrics: not a name followed by four numbers");
        metrics.push_back({array.at(i).toString().toStdString(), array.at(i + 1).toDouble(),
                           array.at(i + 2).toInteger(), array.at(i + 3).toDouble(), array.at(i + 4).toDouble()});
    }
    return metrics;
}

}  // namespace sweepscope::protocol
