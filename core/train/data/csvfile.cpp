#include "train/data/csvfile.h"

#include "data/rowfile.h"
#include "data/unpackedfile.h"
#include "train/data/targets.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::size_t maxWords = 100'000;
constexpr std::size_t maxLine = std::size_t{64} << 20U;

/// What the header and all targets say.
struct Table {
    std::filesystem::path path;
    char separator = ',';
    std::vector<std::string> columns{};
    std::size_t target = 0;
    std::int64_t rows = 0;
    bool numeric = true;                      ///< all targets are numbers
    std::map<std::string, double> classes{};  ///< the targets as written, and the class of each; at most maxWords
    TargetFacts facts{};

    std::string place(std::size_t line) const { return path.string() + ":" + std::to_string(line); }
};

/// Its number from 1 on, and the line, in pieces that the next call overwrites.
using TakeLine = std::function<Expected<void>(std::size_t number, std::string_view line)>;

std::string_view trimmed(std::string_view text)
{
    const auto isPadding = [](char c) { return c == ' ' || c == '"' || c == '\r'; };
    while (!text.empty() && isPadding(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isPadding(text.back()))
        text.remove_suffix(1);
    return text;
}

char separatorOf(std::string_view header)
{
    char best = ',';
    for (const char candidate : {',', ';', '\t'}) {
        if (std::count(header.begin(), header.end(), candidate) > std::count(header.begin(), header.end(), best))
            best = candidate;
    }
    return best;
}

std::vector<std::string_view> fieldsOf(std::string_view line, char separator)
{
    std::vector<std::string_view> fields;
    std::size_t start = 0;
    for (;;) {
        const std::size_t end = line.find(separator, start);
        fields.push_back(trimmed(line.substr(start, end - start)));
        if (end == std::string_view::npos)
            return fields;
        start = end + 1;
    }
}

std::optional<double> numberIn(std::string_view text)
{
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// Lines that are not empty, until `take` fails.
Expected<void> forEachLine(const std::filesystem::path &path, const TakeLine &take)
{
    std::string begun;  // of a line that the piece before ended within
    std::size_t number = 0;
    Expected<void> result;
    const auto end = [&](std::string_view line) {
        ++number;
        if (result && !trimmed(line).empty())
            result = take(number, line);
    };
    const Expected<void> read = data::unpackInPieces(path, [&](std::span<const std::uint8_t> piece) {
        std::string_view text(reinterpret_cast<const char *>(piece.data()), piece.size());
        for (std::size_t newline = text.find('\n'); newline != std::string_view::npos && result;
             newline = text.find('\n')) {
            end(begun.empty() ? text.substr(0, newline) : begun.append(text.substr(0, newline)));
            begun.clear();
            text.remove_prefix(newline + 1);
        }
        begun.append(text);
        if (result && begun.size() > maxLine)
            result = makeError(ErrorCode::BadInput, path.string() + ":" + std::to_string(number + 1)
                                                        + ": the line is too long for a table of numbers");
        return result.has_value();
    });
    if (!read)
        return read;
    if (!begun.empty())
        end(begun);
    return result;
}

Expected<void> readHeader(Table &table, std::string_view line, const std::string &target)
{
    const std::string path = table.path.string();
    table.separator = separatorOf(line);
    for (const std::string_view name : fieldsOf(line, table.separator))
        table.columns.emplace_back(name);
    if (table.columns.size() < 2)
        return makeError(ErrorCode::BadInput, path + ":1: expected a header with the names of at least two columns");
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
Expected<void> noteRow(Table &table, std::string_view line, const std::string &place)
{
    const std::vector<std::string_view> fields = fieldsOf(line, table.separator);
    if (fields.size() != table.columns.size())
        return makeError(ErrorCode::BadInput, place + ": expected " + std::to_string(table.columns.size())
                                                  + " fields, found " + std::to_string(fields.size()));
    ++table.rows;
    const std::string text(fields[table.target]);
    const std::optional<double> value = numberIn(text);
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
    const Expected<void> read = forEachLine(path, [&](std::size_t number, std::string_view line) {
        return table.columns.empty() ? readHeader(table, line, target) : noteRow(table, line, table.place(number));
    });
    if (!read)
        return tl::unexpected(read.error());
    if (table.rows == 0)
        return makeError(ErrorCode::BadInput, path.string() + ": the file has no rows below the header");
    if (!table.numeric && task == "regression")
        return makeError(ErrorCode::BadInput, path.string() + ": column " + table.columns[table.target]
                                                  + " contains words, but task = \"regression\" needs numbers");
    if (!table.numeric) {
        table.facts = {.count = table.rows, .smallest = 0, .largest = static_cast<double>(table.classes.size() - 1)};
        double next = 0;
        for (auto &[text, number] : table.classes)
            number = next++;
    }
    return table;
}

/// The row's place in `samples`, whose inputs are float32 and targets float64.
Expected<void> readRow(const Table &table, std::string_view line, const std::string &where, std::int64_t place,
                       Samples &samples)
{
    const std::vector<std::string_view> fields = fieldsOf(line, table.separator);
    if (fields.size() != table.columns.size())
        return makeError(ErrorCode::BadInput, where + ": the file changed while it was being read");
    float *inputs = samples.inputs.data_ptr<float>() + place * samples.inputs.size(1);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::optional<double> value = numberIn(fields[i]);
        if (i == table.target) {
            const auto word = table.numeric ? table.classes.end() : table.classes.find(std::string(fields[i]));
            if (table.numeric ? !value : word == table.classes.end())
                return makeError(ErrorCode::BadInput, where + ": the file changed while it was being read");
            samples.targets.data_ptr<double>()[place] = table.numeric ? *value : word->second;
            continue;
        }
        if (!value)
            return makeError(ErrorCode::BadInput, where + ": column " + table.columns[i] + " must be a number, found '"
                                                      + std::string(fields[i]) + "'");
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
        forEachLine(table.path, [&](std::size_t number, std::string_view line) -> Expected<void> {
            ++row;  // -1: the header
            if (next == wishes.end() || row != next->row)
                return {};
            const data::RowWish wish = *next++;
            return readRow(table, line, table.place(number), wish.place, samples);
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
