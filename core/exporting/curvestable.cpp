#include "exporting/curvestable.h"

#include "base/clock.h"
#include "exporting/fieldtext.h"
#include "exporting/jsontext.h"

#include <cmath>
#include <utility>

namespace sweepscope::exporting {

namespace {

class CsvCurves final : public CurvesTable {
public:
    CsvCurves(std::ostream &out, std::string sweepName) : m_csv(out), m_sweepName(std::move(sweepName))
    {
        for (const char *name : {"sweep", "trial", "attempt", "rank", "series", "step", "time", "value"})
            m_csv.field(name);
        m_csv.endRow();
    }

    void point(const RankPlace &place, const std::string &series, const feed::Point &point) override
    {
        begin(place, series);
        m_csv.field(point.step);
        m_csv.field(toIso8601(point.timeNs));
        m_csv.field(point.value);
        m_csv.endRow();
    }

    void gap(const RankPlace &place, const feed::Gap &gap) override
    {
        begin(place, "gap");
        m_csv.emptyField();
        m_csv.field(toIso8601(gap.timeNs));
        m_csv.field(gap.dropped);
        m_csv.endRow();
    }

private:
    void begin(const RankPlace &place, std::string_view series)
    {
        m_csv.field(m_sweepName);
        m_csv.field(std::int64_t{place.trial});
        m_csv.field(std::int64_t{place.attempt});
        m_csv.field(std::int64_t{place.rank});
        m_csv.field(series);
    }

    CsvWriter m_csv;
    std::string m_sweepName;
};

class JsonCurves final : public CurvesTable {
public:
    JsonCurves(std::ostream &out, const std::string &sweepName) : m_out(out)
    {
        writeOpen(m_out, {{"sweep", sweepName}, {"curves", Json::array()}});
    }

    void point(const RankPlace &place, const std::string &series, const feed::Point &point) override
    {
        if (!m_isOpen || place != m_place || series != m_series)
            beginCurve(place, series);
        m_out << std::exchange(m_beforePoint, ",[");
        writeNumber(m_out, point.step);
        m_out << ",\"" << toIso8601(point.timeNs) << "\",";
        if (std::isfinite(point.value))
            writeNumber(m_out, point.value);
        else
            m_out << jsonValue(point.value);
        m_out << ']';
    }

    /// They come between the curves of two ranks, and are written after all of them.
    void gap(const RankPlace &place, const feed::Gap &gap) override { m_gaps.emplace_back(place, gap); }

    void end() override
    {
        endCurve();
        m_out << "\n],\"gaps\":[";
        const char *separator = "\n";
        for (const auto &[place, gap] : m_gaps) {
            Json json = jsonOf(place);
            json["time"] = toIso8601(gap.timeNs);
            json["records"] = gap.dropped;
            m_out << std::exchange(separator, ",\n") << jsonLine(json);
        }
        m_out << "]}\n";
    }

private:
    using Json = nlohmann::ordered_json;
    static Json jsonOf(const RankPlace &place)
    {
        return {{"trial", place.trial}, {"attempt", place.attempt}, {"rank", place.rank}};
    }

    void beginCurve(const RankPlace &place, const std::string &series)
    {
        endCurve();
        m_place = place;
        m_series = series;
        m_isOpen = true;
        m_beforePoint = "[";
        m_out << std::exchange(m_beforeCurve, ",\n");
        Json json = jsonOf(place);
        json["series"] = series;
        json["points"] = Json::array();
        writeOpen(m_out, json);
    }

    void endCurve()
    {
        if (m_isOpen)
            m_out << "]}";
        m_isOpen = false;
    }

    std::ostream &m_out;
    RankPlace m_place;
    std::string m_series;
    bool m_isOpen = false;
    const char *m_beforePoint = "[";
    const char *m_beforeCurve = "\n";
    std::vector<std::pair<RankPlace, feed::Gap>> m_gaps;
};

}  // namespace

std::unique_ptr<CurvesTable> csvCurves(std::ostream &out, const std::string &sweepName)
{
    return std::make_unique<CsvCurves>(out, sweepName);
}

std::unique_ptr<CurvesTable> jsonCurves(std::ostream &out, const std::string &sweepName)
{
    return std::make_unique<JsonCurves>(out, sweepName);
}

}  // namespace sweepscope::exporting
