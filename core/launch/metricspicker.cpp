#include "launch/metricspicker.h"

#include "launch/untrustedjson.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace sweepscope::launch {

namespace {

using nlohmann::json;

constexpr std::size_t mostSeries = 1000;
/// The largest integer step that a double holds exactly.
constexpr double mostSteps = 9007199254740992.0;

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

std::optional<std::int64_t> stepOf(std::optional<double> number)
{
    if (!number || !(std::abs(*number) <= mostSteps))
        return std::nullopt;
    return std::llround(*number);
}

/// Python's json module writes NaN, Infinity and -Infinity, which are not valid JSON: quotes them so that they can be
/// parsed.
std::string withQuotedNumbers(std::string_view line)
{
    std::string text;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t length = 1;
        if (quoted) {
            length = line[i] == '\\' ? 2 : 1;
            quoted = line[i] != '"';
        } else if (line[i] == '"') {
            quoted = true;
        } else {
            for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
                if (line.substr(i).starts_with(word))
                    length = word.size();
            }
        }
        const std::string_view part = line.substr(i, length);
        text += length > 2 ? '"' + std::string(part) + '"' : std::string(part);
        i += length;
    }
    return text;
}

json objectIn(std::string_view line)
{
    json object = parseUntrustedJson(line);
    return object.is_discarded() ? parseUntrustedJson(withQuotedNumbers(line)) : object;
}

/// For "a.b", returns the value of that key, or of b in a.
const json *valueAt(const json &object, std::string_view key)
{
    const auto whole = object.find(key);
    if (whole != object.end())
        return &*whole;
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos)
        return nullptr;
    const auto outer = object.find(key.substr(0, dot));
    return outer != object.end() && outer->is_object() ? valueAt(*outer, key.substr(dot + 1)) : nullptr;
}

std::optional<double> numberIn(const json &value)
{
    if (value.is_number())
        return value.get<double>();
    if (value.is_string())
        return launch::numberIn(value.get_ref<const std::string &>());
    return std::nullopt;
}

}  // namespace

std::optional<double> numberIn(std::string_view text)
{
    const auto begin = std::find_if(text.begin(), text.end(), [](char c) { return isWord(c) || c == '-' || c == '.'; });
    text.remove_prefix(static_cast<std::size_t>(begin - text.begin()));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)  // the sign of the exponent tells underflow from overflow
        value = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos ? 0 : HUGE_VAL;
    else if (error != std::errc())
        return std::nullopt;
    // "12ms" and "1,234" are not the numbers 12 and 1.
    if (std::any_of(end, text.data() + text.size(), isWord))
        return std::nullopt;
    return value;
}

Expected<MetricsPicker> MetricsPicker::create(const output::MetricsSection &metrics, Sink sink)
{
    MetricsPicker picker(metrics, std::move(sink));
    if (metrics.format != output::OutputFormat::Text)
        return picker;
    const auto compile = [](const std::string &what, const std::string &expression,
                            std::optional<output::OutputPattern> &place) -> Expected<void> {
        auto pattern = output::OutputPattern::compile(expression);
        if (!pattern)
            return makeError(ErrorCode::BadInput, "the expression of " + what + " is not a valid regular expression: "
                                                      + pattern.error().message);
        place = std::move(*pattern);
        return {};
    };
    if (picker.m_hasStep) {
        if (auto done = compile("step", metrics.step, picker.m_stepPattern); !done)
            return tl::unexpected(done.error());
    }
    for (Series &series : picker.m_series) {
        if (auto done = compile("'" + series.name + "'", series.key, series.pattern); !done)
            return tl::unexpected(done.error());
    }
    return picker;
}

MetricsPicker::MetricsPicker(const output::MetricsSection &metrics, Sink sink)
    : m_format(metrics.format),
      m_stepKey(metrics.step),
      m_hasStep(!metrics.step.empty()),
      m_picksAll(metrics.series.empty()),
      m_sink(std::move(sink))
{
    for (const auto &[name, what] : metrics.series) {
        Series series;
        series.name = name;
        series.key = what;
        m_series.push_back(std::move(series));
    }
}

void MetricsPicker::finish()
{
    if (m_points > 0 || !m_hasLines)
        return;
    switch (m_format) {
    case output::OutputFormat::Text:
        return m_sink.complain("no line matched an expression of [run.metrics]");
    case output::OutputFormat::Json:
        return m_sink.complain("no line was a JSON object with a number of [run.metrics]");
    case output::OutputFormat::Auto:
        return m_sink.complain("no line was recognized: write expressions in [run.metrics]");
    }
}

void MetricsPicker::pick(std::string_view line)
{
    m_hasLines = true;
    switch (m_format) {
    case output::OutputFormat::Text:
        return pickFromText(line);
    case output::OutputFormat::Json:
        return pickFromJson(line);
    case output::OutputFormat::Auto:
        return pickFromUsualLine(line);
    }
}

void MetricsPicker::pickFromText(std::string_view line)
{
    if (m_stepPattern) {
        const auto found = m_stepPattern->find(line);
        const auto step = found ? stepOf(numberIn(*found)) : std::nullopt;
        m_step = step.value_or(m_step);
        if (found && !step && !m_complainedOfStep) {
            m_complainedOfStep = true;
            m_sink.complain("the expression of step matched '" + std::string(found->substr(0, 100))
                            + "', which is not an integer");
        }
    }
    for (Series &series : m_series) {
        if (const auto found = series.pattern->find(line))
            pickValue(series, *found);
    }
}

/// Reads the numbers of an object, and those of nested objects as "outer.inner".
class MetricsPicker::ObjectReader {
public:
    explicit ObjectReader(MetricsPicker &picker) : m_picker(picker) {}

    void read(const json &object, const std::string &prefix, int depth)
    {
        for (const auto &[key, value] : object.items()) {
            const std::string name = prefix + key;
            if (m_picker.m_hasStep && name == m_picker.m_stepKey)
                continue;
            if (value.is_object() && depth < deepest) {
                read(value, name + ".", depth + 1);
            } else if (const auto number = numberIn(value); number && (value.is_number() || !std::isfinite(*number))) {
                if (Series *series = m_picker.seriesOf(name))
                    m_picker.put(*series, *number);
            }
        }
    }

private:
    static constexpr int deepest = 8;
    MetricsPicker &m_picker;
};

void MetricsPicker::pickFromJson(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '{')
        return;
    const json object = objectIn(line.substr(begin));
    if (!object.is_object())
        return;
    if (m_hasStep) {
        const json *value = valueAt(object, m_stepKey);
        m_step = (value != nullptr ? stepOf(numberIn(*value)) : std::nullopt).value_or(m_step);
    }
    if (m_picksAll)
        return ObjectReader(*this).read(object, {}, 0);
    for (Series &series : m_series) {
        const json *value = valueAt(object, series.key);
        if (value == nullptr || value->is_null())
            continue;
        if (const auto number = numberIn(*value))
            put(series, *number);
        else
            complain(series, value->dump(-1, ' ', false, json::error_handler_t::replace));
    }
}

void MetricsPicker::pickFromUsualLine(std::string_view line)
{
    const output::PrintedLine printed = output::readPrintedLine(line);
    m_printedSteps.add(printed);
    m_hasStep = true;
    m_step = m_printedSteps.step() ? *m_printedSteps.step() : countedStep(printed);
    for (const output::PrintedValue &value : printed.values) {
        if (m_picksAll) {
            if (Series *series = seriesOf(value.name))
                put(*series, value.value);
            continue;
        }
        for (Series &series : m_series) {
            if (series.key == value.name)
                put(series, value.value);
        }
    }
}

/// For a program that prints no steps: the next one begins where a series has another value. The losses of an evaluation
/// then have the step of the last training loss. A fraction of an epoch is only a position.
std::int64_t MetricsPicker::countedStep(const output::PrintedLine &printed)
{
    const auto hasValue = [this](const Series &series) { return series.id && series.lastStep == m_step; };
    const auto repeats = [&](const output::PrintedValue &value) {
        return value.name != "epoch" && std::ranges::any_of(m_series, [&](const Series &series) {
                   return (m_picksAll ? series.name : series.key) == value.name && hasValue(series);
               });
    };
    const bool isNext = m_step == 0 || std::ranges::any_of(printed.values, repeats);
    return isNext ? m_step + 1 : m_step;
}

void MetricsPicker::pickValue(Series &series, std::string_view text)
{
    if (const auto value = numberIn(text))
        put(series, *value);
    else
        complain(series, text);
}

void MetricsPicker::put(Series &series, double value)
{
    const bool isSame = value == series.lastValue || (std::isnan(value) && std::isnan(series.lastValue));
    if (m_hasStep && series.id && m_step == series.lastStep && isSame)
        return;
    if (!series.id)
        series.id = m_sink.declare(series.name);
    series.lastStep = m_hasStep ? m_step : ++series.count;
    series.lastValue = value;
    m_sink.write(*series.id, series.lastStep, value);
    ++m_points;
}

void MetricsPicker::complain(Series &series, std::string_view text)
{
    if (series.complained)
        return;
    series.complained = true;
    m_sink.complain("the value of '" + series.name + "' is '" + std::string(text.substr(0, 100))
                    + "', which is not a number");
}

MetricsPicker::Series *MetricsPicker::seriesOf(const std::string &name)
{
    const auto known = m_places.find(name);
    if (known != m_places.end())
        return &m_series[known->second];
    if (m_series.size() >= mostSeries || name.empty())
        return nullptr;
    m_places.emplace(name, m_series.size());
    m_series.push_back({});
    m_series.back().name = name;
    return &m_series.back();
}

}  // namespace sweepscope::launch
