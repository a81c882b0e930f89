#include "exporting/curvestable.h"

#include "base/clock.h"

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
    JsonCurves(std::ostream &out, const std::string &sweepName) : m_out(out), m_json(out)
    {
        m_json.beginObject();
        m_json.key("sweep");
        m_json.value(sweepName);
        m_json.key("curves");
        m_json.beginArray();
    }

    void point(const RankPlace &place, const std::string &series, const feed::Point &point) override
    {
        if (!m_isOpen || place != m_place || series != m_series)
            beginCurve(place, series);
        m_json.beginArray();
        m_json.value(point.step);
        m_json.value(toIso8601(point.timeNs));
        m_json.value(point.value);
        m_json.endArray();
    }

    /// They come between the curves of two ranks, and stand after all of them.
    void gap(const RankPlace &place, const feed::Gap &gap) override { m_gaps.emplace_back(place, gap); }

    void end() override
    {
        endCurve();
        m_json.newLine();
        m_json.endArray();
        m_json.key("gaps");
        m_json.beginArray();
        for (const auto &[place, gap] : m_gaps) {
            m_json.newLine();
            m_json.beginObject();
            writePlace(place);
            m_json.key("time");
            m_json.value(toIso8601(gap.timeNs));
            m_json.key("records");
            m_json.value(gap.dropped);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.endObject();
        m_out.put('\n');
    }

private:
    void writePlace(const RankPlace &place)
    {
        m_json.key("trial");
        m_json.value(std::int64_t{place.trial});
        m_json.key("attempt");
        m_json.value(std::int64_t{place.attempt});
        m_json.key("rank");
        m_json.value(std::int64_t{place.rank});
    }

    void beginCurve(const RankPlace &place, const std::string &series)
    {
        endCurve();
        m_place = place;
        m_series = series;
        m_isOpen = true;
        m_json.newLine();
        m_json.beginObject();
        writePlace(place);
        m_json.key("series");
        m_json.value(series);
        m_json.key("points");
        m_json.beginArray();
    }

    void endCurve()
    {
        if (m_isOpen) {
            m_json.endArray();
            m_json.endObject();
        }
        m_isOpen = false;
    }

    std::ostream &m_out;
    JsonWriter m_json;
    RankPlace m_place;
    std::string m_series;
    bool m_isOpen = false;
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
