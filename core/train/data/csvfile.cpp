#include "train/data/csvfile.h"

#include "data/unpackedfile.h"
#include "train/data/targets.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t maxBytes = std::uint64_t{8} << 30U;

struct Table {
    std::vector<std::string> columns;
    std::size_t target = 0;
    std::vector<float> inputs;         ///< row by row
    std::vector<std::string> targets;  ///< as written
};

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

Expected<void> readHeader(Table &table, std::string_view line, char separator, const std::string &target,
                          const std::string &path)
{
    for (const std::string_view name : fieldsOf(line, separator))
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

Expected<void> readRow(Table &table, std::string_view line, char separator, const std::string &place)
{
    const std::vector<std::string_view> fields = fieldsOf(line, separator);
    if (fields.size() != table.columns.size())
        return makeError(ErrorCode::BadInput, place + ": expected " + std::to_string(table.columns.size())
                                                  + " fields, found " + std::to_string(fields.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i == table.target) {
            table.targets.emplace_back(fields[i]);
            continue;
        }
        const std::optional<double> value = numberIn(fields[i]);
        if (!value)
            return makeError(ErrorCode::BadInput, place + ": column " + table.columns[i] + " must be a number, found '"
                                                      + std::string(fields[i]) + "'");
        table.inputs.push_back(static_cast<float>(*value));
    }
    return {};
}

/// Numbers where all are numbers, else the places of the words in alphabetical order.
torch::Tensor targetTensor(const std::vector<std::string> &texts, bool &words)
{
    std::vector<double> numbers;
    for (const std::string &text : texts) {
        const auto value = numberIn(text);
        words = !value.has_value();
        if (words)
            break;
        numbers.push_back(*value);
    }
    if (words) {
        std::map<std::string, double> classes;
        for (const std::string &text : texts)
            classes[text] = 0;
        double next = 0;
        for (auto &[text, number] : classes)
            number = next++;
        numbers.clear();
        for (const std::string &text : texts)
            numbers.push_back(classes.at(text));
    }
    return torch::tensor(numbers, torch::kFloat64);
}

}  // namespace

Expected<Dataset> readCsv(const std::filesystem::path &path, const std::string &target, const std::string &task)
{
    const Expected<data::UnpackedFile> file = data::unpackFile(path, maxBytes);
    if (!file)
        return tl::unexpected(file.error());
    if (file->cutOff)
        return makeError(ErrorCode::BadInput, path.string() + ": the file is cut off; get it again");
    std::string_view text(reinterpret_cast<const char *>(file->bytes.data()), file->bytes.size());
    Table table;
    char separator = ',';
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view content = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (trimmed(content).empty())
            continue;
        if (table.columns.empty())
            separator = separatorOf(content);
        const Expected<void> read =
            table.columns.empty() ? readHeader(table, content, separator, target, path.string())
                                  : readRow(table, content, separator, path.string() + ":" + std::to_string(line));
        if (!read)
            return tl::unexpected(read.error());
    }
    if (table.targets.empty())
        return makeError(ErrorCode::BadInput, path.string() + ": there is no row below the header");

    const auto rows = static_cast<std::int64_t>(table.targets.size());
    bool words = false;
    const torch::Tensor targets = targetTensor(table.targets, words);
    if (words && task == "regression")
        return makeError(ErrorCode::BadInput, path.string() + ": column " + table.columns[table.target]
                                                  + " holds words, and task = \"regression\" needs numbers");
    return makeDataset(torch::tensor(table.inputs).view({rows, -1}), targets, words ? "classification" : task,
                       path.string());
}

}  // namespace sweepscope::train
