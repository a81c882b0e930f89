#include "search/warmstart.h"

#include "base/files.h"
#include "search/axis.h"
#include "sweep/point.h"

#include <csv.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace sweepscope::search {

namespace {

constexpr std::uint64_t mostFileBytes = 200'000'000;
constexpr std::size_t mostRows = 100'000;

using Row = std::vector<std::string>;

tl::unexpected<Error> wrong(const ResultsFile &file, const std::string &what)
{
    return makeError(ErrorCode::BadInput, file.name + " " + what);
}

/// All rows of a CSV file; nullopt if it is none.
std::optional<std::vector<Row>> rowsOf(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";  // of spreadsheets
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return std::nullopt;
    std::vector<Row> rows(1);
    const auto addField = [](void *field, std::size_t size, void *to) {
        static_cast<std::vector<Row> *>(to)->back().emplace_back(static_cast<const char *>(field), size);
    };
    const auto endRow = [](int, void *to) { static_cast<std::vector<Row> *>(to)->emplace_back(); };
    const bool isWhole = csv_parse(&parser, text.data(), text.size(), addField, endRow, &rows) == text.size()
                         && csv_fini(&parser, addField, endRow, &rows) == 0;
    csv_free(&parser);
    rows.pop_back();
    return isWhole ? std::optional(std::move(rows)) : std::nullopt;
}

std::optional<double> numberIn(const std::string &text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Reads one file.
class ResultsReader {
public:
    ResultsReader(const sweep::SweepSpec &spec, const ResultsFile &file, int source)
        : m_spec(spec), m_file(file), m_source(source), m_axes(spec.space.begin(), spec.space.end())
    {}

    Expected<void> read(WarmStart &to)
    {
        const std::optional<std::vector<Row>> rows = rowsOf(m_file.csv);
        if (!rows || rows->empty())
            return wrong(m_file, "is not a CSV file with a line of column names");
        for (std::size_t i = 0; i < rows->front().size(); ++i)
            m_columns.emplace(rows->front()[i], i);
        if (Expected<void> found = findColumns(); !found)
            return found;
        for (auto row = rows->begin() + 1; row != rows->end(); ++row) {
            m_row = &*row;
            if (Expected<void> read = readRow(to); !read)
                return read;
            if (to.results.size() > mostRows)
                return wrong(m_file, "has too many results: at most " + std::to_string(mostRows) + " can be used");
        }
        return {};
    }

private:
    Expected<void> findColumns()
    {
        bool hasParameter = false;
        for (const sweep::Dimension &dimension : m_spec.space) {
            // As the export names a parameter whose name is that of another column.
            const auto own = m_columns.find("parameter." + dimension.name);
            const auto plain = m_columns.find(dimension.name);
            const auto column = own != m_columns.end() ? own : plain;
            m_parameters.push_back(column != m_columns.end() ? std::optional(column->second) : std::nullopt);
            hasParameter = hasParameter || m_parameters.back().has_value();
        }
        if (!hasParameter)
            return wrong(m_file, "has no column for any of the parameters");
        m_isExport = m_columns.contains("objective_best") && m_columns.contains("objective");
        if (!m_isExport && !m_columns.contains(m_spec.objective))
            return wrong(m_file, "has no column for the objective, " + m_spec.objective);
        return {};
    }

    /// Empty without the column.
    std::string field(const std::string &column) const
    {
        const auto found = m_columns.find(column);
        return found != m_columns.end() ? at(found->second) : std::string();
    }

    std::string at(std::size_t column) const { return column < m_row->size() ? (*m_row)[column] : std::string(); }

    Expected<void> readRow(WarmStart &to)
    {
        if (m_isExport && field("objective") != m_spec.objective)
            return wrong(m_file, "has results by " + field("objective") + ", but the objective is " + m_spec.objective);
        const std::optional<Outcome> outcome = outcomeOf(field("state"));
        if (!outcome)
            return {};
        std::optional<sweep::ParameterSet> point = parameters();
        if (!point) {
            ++to.unfit;
            return {};
        }
        Observation result;
        result.source = m_source;
        result.outcome = *outcome;
        result.parameters = std::move(*point);
        result.violation = std::max(0.0, numberIn(field("violation")).value_or(0));
        const double value = this->value();
        if (*outcome != Outcome::Failed)
            result.values = {m_spec.goal == sweep::Goal::Maximize ? -value : value};
        if (*outcome == Outcome::Pruned) {
            if (const auto step = numberIn(field("objective_last_step")))
                result.step = static_cast<std::int64_t>(*step);
        } else if (!std::isfinite(value)) {
            result.outcome = Outcome::Failed;
        } else if (result.violation > 0) {
            result.outcome = Outcome::Infeasible;
        }
        add(std::move(result), to);
        return {};
    }

    /// nullopt: the trial has no result.
    static std::optional<Outcome> outcomeOf(const std::string &state)
    {
        if (state.empty() || state == "completed" || state == "complete" || state == "finished")
            return Outcome::Complete;
        if (state == "pruned")
            return Outcome::Pruned;
        return state == "failed" || state == "fail" ? std::optional(Outcome::Failed) : std::nullopt;
    }

    double value() const
    {
        const std::string mean = field("objective_mean");
        const std::string text = !m_isExport ? field(m_spec.objective) : !mean.empty() ? mean : field("objective_best");
        return numberIn(text).value_or(std::nan(""));
    }

    /// nullopt: a value does not fit its parameter.
    std::optional<sweep::ParameterSet> parameters() const
    {
        sweep::ParameterSet parameters;
        for (std::size_t i = 0; i < m_axes.size(); ++i) {
            const sweep::Dimension &dimension = m_spec.space[i];
            const std::string text = m_parameters[i] ? at(*m_parameters[i]) : std::string();
            if (text.empty())
                continue;
            std::optional<sweep::ParameterValue> value = sweep::parseValue(dimension, text);
            // Other programs write whole numbers with a fraction where some rows have none.
            if (const std::optional<double> number = numberIn(text);
                !value && number && *number == std::trunc(*number) && std::fabs(*number) < sweep::largestExactInteger)
                value = sweep::parseValue(dimension, std::to_string(static_cast<std::int64_t>(*number)));
            if (!value || !m_axes[i].coordinate(*value))
                return std::nullopt;
            parameters.emplace_back(dimension.name, *std::move(value));
        }
        return parameters.empty() ? std::nullopt : std::optional(std::move(parameters));
    }

    void add(Observation result, WarmStart &to)
    {
        const auto [known, isNew] = m_points.try_emplace(sweep::canonical(result.parameters), to.results.size(), 0);
        auto &[place, runs] = known->second;
        const bool counts = result.outcome == Outcome::Complete;
        if (isNew) {
            to.results.push_back(std::move(result));
        } else if (counts && runs > 0) {
            double &mean = to.results[place].values.front();
            mean += (result.values.front() - mean) / (runs + 1);
        } else if (counts) {
            to.results[place] = std::move(result);
        }
        runs += counts ? 1 : 0;
    }

    const sweep::SweepSpec &m_spec;
    const ResultsFile &m_file;
    int m_source;
    std::vector<Axis> m_axes;
    std::map<std::string, std::size_t> m_columns;
    std::vector<std::optional<std::size_t>> m_parameters;  ///< their columns
    bool m_isExport = false;                               ///< written by Sweepscope
    const Row *m_row = nullptr;
    /// Place in the results and number of completed rows.
    std::map<sweep::ParameterSet, std::pair<std::size_t, int>> m_points;
};

}  // namespace

Expected<std::vector<ResultsFile>> loadResults(const std::vector<std::filesystem::path> &paths)
{
    std::vector<ResultsFile> files;
    for (const std::filesystem::path &path : paths) {
        Expected<std::string> csv = readFile(path, mostFileBytes);
        if (!csv)
            return tl::unexpected(csv.error());
        files.push_back({path.string(), std::move(*csv)});
    }
    return files;
}

std::vector<std::filesystem::path> warmStartPaths(const sweep::SweepSpec &spec, const std::filesystem::path &folder)
{
    std::vector<std::filesystem::path> paths;
    for (const std::string &name : spec.warmStart)
        paths.push_back(folder / name);
    return paths;
}

Expected<WarmStart> readResults(const std::vector<ResultsFile> &files, const sweep::SweepSpec &spec)
{
    WarmStart start;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (const Expected<void> read = ResultsReader(spec, files[i], static_cast<int>(i) + 1).read(start); !read)
            return tl::unexpected(read.error());
    }
    for (std::size_t i = 0; i < start.results.size(); ++i)
        start.results[i].number = static_cast<int>(i) + 1 - static_cast<int>(start.results.size());
    return start;
}

Expected<WarmStart> loadWarmStart(const std::vector<std::filesystem::path> &paths, const sweep::SweepSpec &spec)
{
    const Expected<std::vector<ResultsFile>> files = loadResults(paths);
    if (!files)
        return tl::unexpected(files.error());
    return readResults(*files, spec);
}

double warmStartWeight(std::size_t results)
{
    return 0.5 / (1 + static_cast<double>(results) / 20);
}

}  // namespace sweepscope::search
