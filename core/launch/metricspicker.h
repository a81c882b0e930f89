#pragma once

#include "base/error.h"
#include "output/metricssection.h"
#include "output/outputpattern.h"
#include "output/printedline.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

/// Finds values in the lines that a program prints, according to MetricsSection. A printed step applies to all values
/// until the next one. A repeated value at the same step (a redrawn progress bar) is the same point.
class MetricsPicker {
public:
    struct Sink {
        std::function<std::uint16_t(const std::string &series)> declare;
        std::function<void(std::uint16_t id, std::int64_t step, double value)> write;
        std::function<void(const std::string &sentence)> complain;  ///< called once per series
    };

    /// BadInput: an expression is invalid.
    static Expected<MetricsPicker> create(const output::MetricsSection &metrics, Sink sink);

    void pick(std::string_view untrustedLine);
    /// Call after the last line. Reports an error if there were lines, but none with a value.
    void finish();
    /// Returns the number of points written so far.
    std::uint64_t points() const { return m_points; }

private:
    struct Series {
        std::string name;
        std::string key;  ///< Json: key; Auto: printed name
        std::optional<output::OutputPattern> pattern;
        std::optional<std::uint16_t> id;
        std::int64_t count = 0;
        std::int64_t lastStep = 0;
        double lastValue = 0;
        bool complained = false;
    };
    class ObjectReader;

    MetricsPicker(const output::MetricsSection &metrics, Sink sink);
    void pickFromText(std::string_view line);
    void pickFromJson(std::string_view line);
    void pickFromUsualLine(std::string_view line);
    std::int64_t countedStep(const output::PrintedLine &printed);
    void pickValue(Series &series, std::string_view text);
    void put(Series &series, double value);
    void complain(Series &series, std::string_view text);
    Series *seriesOf(const std::string &name);

    output::OutputFormat m_format;
    std::string m_stepKey;
    std::optional<output::OutputPattern> m_stepPattern;
    bool m_hasStep;
    bool m_picksAll;
    bool m_complainedOfStep = false;
    std::int64_t m_step = 0;
    std::vector<Series> m_series;
    std::map<std::string, std::size_t> m_places;  ///< without selected series: by name
    output::PrintedSteps m_printedSteps;          ///< Auto
    Sink m_sink;
    std::uint64_t m_points = 0;
    bool m_hasLines = false;
};

/// Parses "0.12", "+1e-3", "nan", " 97.5%": a single number, apart from blanks and signs around it.
std::optional<double> numberIn(std::string_view text);

}  // namespace sweepscope::launch
