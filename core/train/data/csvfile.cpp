#include "train/data/csvfile.h"

#include "data/rowfile.h"
#include "data/unpackedfile.h"
#include "train/data/targets.h"

#include <csv.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::size_t maxWords = 100'000;
constexpr std::size_t maxLine = std::size_t{64} << 20U;

/// What the header and all targets say.
struct Table {
    std::filesystem::path path;
    std::vector<std::string> columns{};
    std::size_t target = 0;
    std::int64_t rows = 0;
    bool numeric = true;                      ///< all targets are numbers
    std::string firstWord{};                  ///< the place of the first target that is none
    std::map<std::string, double> classes{};  ///< the targets as written, and the class of each; at most maxWords
    TargetFacts facts{};
};

using Row = std::vector<std::string>;

/// Takes a row; `place` is "file:line" of its begin.
using TakeRow = std::function<Expected<void>(const std::string &place, const Row &row)>;

char separatorOf(std::string_view header)
{
    char best = ',';
    for (const char candidate : {',', ';', '\t'}) {
        if (std::count(header.begin(), header.end(), candidate) > std::count(header.begin(), header.end(), best))
            best = candidate;
    }
    return best;
}

/// A plus sign is allowed, as in Python. What is too small for a double is 0, or nearly so.
std::optional<double> numberIn(const std::string &text)
{
    const std::size_t start = text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0;
    const char *const end = text.data() + text.size();
    double value = 0;
    const auto [parsed, code] = std::from_chars(text.data() + start, end, value);
    if (parsed != end)
        return std::nullopt;
    if (code == std::errc::result_out_of_range)
        return std::strtod(text.c_str(), nullptr);
    return code == std::errc() ? std::optional(value) : std::nullopt;
}

/// Splits a file into rows: fields may be quoted, and may contain separators and line breaks then (RFC 4180). Empty
/// lines are no rows.
class RowReader {
public:
    RowReader(const std::filesystem::path &path, const TakeRow &take) : m_path(path), m_take(take)
    {
        if (csv_init(&m_parser, CSV_APPEND_NULL) != 0)
            throw std::bad_alloc();
    }
    ~RowReader() { csv_free(&m_parser); }
    RowReader(const RowReader &) = delete;
    RowReader &operator=(const RowReader &) = delete;

    /// Until `take` fails.
    Expected<void> read()
    {
        const Expected<void> read = data::unpackInPieces(m_path, [this](std::span<const std::uint8_t> piece) {
            std::string_view text(reinterpret_cast<const char *>(piece.data()), piece.size());
            for (std::size_t newline = text.find('\n'); newline != std::string_view::npos && m_result;
                 newline = text.find('\n')) {
                addToLine(text.substr(0, newline + 1));
                endLine();
                text.remove_prefix(newline + 1);
            }
            if (m_result)
                addToLine(text);
            return m_result.has_value();
        });
        if (!read)
            return read;
        if (m_result)
            endLine();
        if (m_result)
            csv_fini(&m_parser, onField, onRow, this);
        return m_result;
    }

private:
    void addToLine(std::string_view text)
    {
        m_begun.append(text);
        if (m_begun.size() > maxLine || csv_get_buffer_size(&m_parser) > 2 * maxLine)
            m_result = makeError(ErrorCode::BadInput, place(m_line + 1)
                                                          + ": the line is too long for a table of numbers; is a "
                                                            "closing quote missing?");
    }

    void endLine()
    {
        std::string_view line = m_begun;
        constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";  // of spreadsheets
        if (m_line == 0 && line.starts_with(byteOrderMark))
            line.remove_prefix(byteOrderMark.size());
        if (m_isHeader && line.find_first_not_of(" \r\n") != std::string_view::npos) {
            csv_set_delim(&m_parser, static_cast<unsigned char>(separatorOf(line)));
            csv_set_space_func(&m_parser, [](unsigned char c) { return static_cast<int>(c == ' '); });
            m_isHeader = false;
        }
        ++m_line;
        if (csv_parse(&m_parser, line.data(), line.size(), onField, onRow, this) != line.size() && m_result)
            m_result = makeError(ErrorCode::BadInput, place(m_line) + ": the line cannot be read");
        m_begun.clear();
    }

    std::string place(std::size_t line) const { return m_path.string() + ":" + std::to_string(line); }

    static void onField(void *text, std::size_t size, void *self)
    {
        static_cast<RowReader *>(self)->m_row.emplace_back(static_cast<const char *>(text), size);
    }

    static void onRow(int, void *self) { static_cast<RowReader *>(self)->endRow(); }

    void endRow()
    {
        std::size_t start = m_line;
        for (const std::string &field : m_row)
            start -= static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n'));
        if (m_result && (m_row.size() > 1 || !m_row.front().empty()))
            m_result = m_take(place(start), m_row);
        m_row.clear();
    }

    const std::filesystem::path &m_path;
    const TakeRow &m_take;
    csv_parser m_parser{};
    std::string m_begun;  // of a line that the piece before ended within
    Row m_row;
    std::size_t m_line = 0;
    bool m_isHeader = true;
    Expected<void> m_result;
};

Expected<void> forEachRow(const std::filesystem::path &path, const TakeRow &take)
{
    return RowReader(path, take).read();
}

Expected<void> readHeader(Table &table, const std::string &place, const Row &row, const std::string &target)
{
    const std::string path = table.path.string();
    table.columns = row;
    std::set<std::string> seen;
    for (const std::string &name : row) {
        if (!name.empty() && !seen.insert(name).second)
            return makeError(ErrorCode::BadInput, place + ": the header contains column " + name + " twice");
    }
    if (table.columns.size() < 2)
        return makeError(ErrorCode::BadInput, place + ": expected a header with the names of at least two columns");
    const auto found =
        target.empty() ? table.columns.end() - 1 : std::find(table.columns.begin(), table.columns.end(), target);
    if (found == table.columns.end()) {
        std::string names;
        for (const std::string &name : table.columns)
            names += (names.empty() ? "" : ", ") + name;
        return makeError(ErrorCode::BadInput, "target: " + path + " has no column " + target + "; it has " + names);
    }
    table.target = static_cast<std::size_t>(found - table.columns.begin());
    return {};
}

/// Counts the row and takes note of its target.
Expected<void> noteRow(Table &table, const std::string &place, const Row &row)
{
    if (row.size() != table.columns.size())
        return makeError(ErrorCode::BadInput, place + ": expected " + std::to_string(table.columns.size())
                                                  + " fields, found " + std::to_string(row.size()));
    ++table.rows;
    const std::string &text = row[table.target];
    if (text.empty())
        return makeError(ErrorCode::BadInput,
                         place + ": column " + table.columns[table.target] + ", the target, is empty");
    const std::optional<double> value = numberIn(text);
    if (value && !std::isfinite(*value))
        return makeError(ErrorCode::BadInput,
                         place + ": column " + table.columns[table.target] + " must be finite, found '" + text + "'");
    if (!value && table.numeric)
        table.firstWord = place + ": column " + table.columns[table.target] + " contains '" + text + "'";
    table.numeric = table.numeric && value;
    if (value)
        table.facts.add(*value);
    if (table.classes.size() < maxWords)
        table.classes.emplace(text, 0);
    else if (!table.numeric && !table.classes.contains(text))
        return makeError(ErrorCode::BadInput, place + ": column " + table.columns[table.target] + " contains more than "
                                                  + std::to_string(maxWords) + " distinct words");
    return {};
}

/// Header and all targets.
Expected<Table> lookThrough(const std::filesystem::path &path, const std::string &target, const std::string &task)
{
    Table table{path};
    const Expected<void> read = forEachRow(path, [&](const std::string &place, const Row &row) {
        return table.columns.empty() ? readHeader(table, place, row, target) : noteRow(table, place, row);
    });
    if (!read)
        return tl::unexpected(read.error());
    if (table.rows == 0)
        return makeError(ErrorCode::BadInput, path.string() + ": the file has no rows below the header");
    if (!table.numeric && task == "regression")
        return makeError(ErrorCode::BadInput, table.firstWord + ", but task = \"regression\" needs numbers");
    if (!table.numeric && task == "auto" && table.facts.count > 0)
        return makeError(ErrorCode::BadInput, table.firstWord
                                                  + " among numbers; set task = \"classification\" if each value is a "
                                                    "class");
    if (!table.numeric) {
        table.facts = {.count = table.rows, .smallest = 0, .largest = static_cast<double>(table.classes.size() - 1)};
        double next = 0;
        for (auto &[text, number] : table.classes)
            number = next++;
    }
    return table;
}

/// The row's place in `samples`, whose inputs are float32 and targets float64.
Expected<void> readRow(const Table &table, const Row &fields, const std::string &where, std::int64_t place,
                       Samples &samples)
{
    if (fields.size() != table.columns.size())
        return makeError(ErrorCode::BadInput, where + ": the file changed while it was being read");
    float *inputs = samples.inputs.data_ptr<float>() + place * samples.inputs.size(1);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::optional<double> value = numberIn(fields[i]);
        if (i == table.target) {
            const auto word = table.numeric ? table.classes.end() : table.classes.find(fields[i]);
            if (table.numeric ? !value : word == table.classes.end())
                return makeError(ErrorCode::BadInput, where + ": the file changed while it was being read");
            samples.targets.data_ptr<double>()[place] = table.numeric ? *value : word->second;
            continue;
        }
        if (!value || !std::isfinite(*value))
            return makeError(ErrorCode::BadInput, where + ": column " + table.columns[i] + " must be a "
                                                      + (value ? "finite " : "") + "number, found '" + fields[i] + "'");
        *inputs++ = static_cast<float>(*value);
    }
    return {};
}

Expected<void> readRows(const Table &table, const std::vector<std::int64_t> &wanted, Samples &samples)
{
    std::vector<data::RowWish> wishes = data::inThisOrder(wanted);
    std::sort(wishes.begin(), wishes.end(),
              [](const data::RowWish &a, const data::RowWish &b) { return a.row < b.row; });
    auto next = wishes.begin();
    std::int64_t row = -2;
    const Expected<void> read =
        forEachRow(table.path, [&](const std::string &where, const Row &fields) -> Expected<void> {
            ++row;  // -1: the header
            if (next == wishes.end() || row != next->row)
                return {};
            const data::RowWish wish = *next++;
            return readRow(table, fields, where, wish.place, samples);
        });
    if (read && next != wishes.end())
        return makeError(ErrorCode::BadInput, table.path.string() + ": the file changed while it was being read");
    return read;
}

}  // namespace

Expected<Dataset> readCsv(const std::filesystem::path &path, const std::string &target, const std::string &task,
                          const RowChoice &choice)
{
    const Expected<Table> table = lookThrough(path, target, task);
    if (!table)
        return tl::unexpected(table.error());
    const Expected<std::vector<std::int64_t>> wanted = chosenRows(choice, table->rows);
    if (!wanted)
        return tl::unexpected(wanted.error());
    const auto count = static_cast<std::int64_t>(wanted->size());
    const auto columns = static_cast<std::int64_t>(table->columns.size()) - 1;
    Samples samples{torch::empty({count, columns}), torch::empty({count}, torch::kFloat64)};
    if (const Expected<void> read = readRows(*table, *wanted, samples); !read)
        return tl::unexpected(read.error());
    return makeDataset(samples.inputs, samples.targets, table->facts, table->numeric ? task : "classification",
                       path.string());
}

}  // namespace sweepscope::train
