#include "media/mediacontent.h"

#include "base/files.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::media {

namespace {

using nlohmann::json;

constexpr std::size_t mostBins = 4096;
constexpr std::size_t mostRows = 10000;
constexpr std::size_t mostColumns = 1024;

std::optional<std::vector<double>> numbersIn(const json &object, const char *name)
{
    const auto field = object.find(name);
    if (field == object.end() || !field->is_array() || field->size() > mostBins + 1)
        return std::nullopt;
    std::vector<double> numbers;
    numbers.reserve(field->size());
    for (const json &each : *field) {
        const double number = each.is_number() ? each.get<double>() : std::nan("");
        if (!std::isfinite(number))
            return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

Cell cellOf(const json &value)
{
    if (value.is_string())
        return {value.get<std::string>()};
    if (value.is_null())
        return {};
    Cell cell{value.dump(-1, ' ', false, json::error_handler_t::replace)};
    if (value.is_number())
        cell.number = value.get<double>();
    return cell;
}

}  // namespace

Expected<std::string> readContent(const std::filesystem::path &file, const MediaItem &item)
{
    const auto opened = openRegularFile(file, O_RDONLY);
    if (!opened)
        return tl::unexpected(opened.error());
    struct stat now {};
    if (::fstat(opened->get(), &now) != 0)
        return makeErrnoError("cannot read " + file.string(), errno);
    const auto end = static_cast<std::uint64_t>(now.st_size);
    if (item.size > mostItemBytes || item.offset > end || item.size > end - item.offset)
        return makeError(ErrorCode::NotFound, file.string() + " does not have all bytes of '" + item.name + "' yet");
    std::string bytes(static_cast<std::size_t>(item.size), '\0');
    std::size_t read = 0;
    while (read < bytes.size()) {
        const ssize_t count =
            ::pread(opened->get(), bytes.data() + read, bytes.size() - read, static_cast<off_t>(item.offset + read));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return makeErrnoError("cannot read " + file.string(), errno);
        if (count == 0)
            return makeError(ErrorCode::NotFound, file.string() + " was truncated");
        read += static_cast<std::size_t>(count);
    }
    return bytes;
}

Expected<void> saveItem(const std::filesystem::path &file, const MediaItem &item, const std::filesystem::path &target)
{
    if (item.kind != MediaKind::Artifact) {
        const auto bytes = readContent(file, item);
        return bytes ? writeFileAtomically(target, *bytes, Survives::Kill) : tl::unexpected(bytes.error());
    }
    std::error_code error;
    if (!std::filesystem::is_directory(std::filesystem::symlink_status(file.parent_path(), error)))
        return makeError(ErrorCode::NotFound, "there is no folder " + file.parent_path().string());
    const auto opened = openRegularFile(file, O_RDONLY);
    if (!opened)
        return tl::unexpected(opened.error());
    return writeFileAtomically(
        target,
        [&](int copy) -> Expected<void> {
            std::string part(std::size_t{1} << 20U, '\0');
            std::uint64_t left = item.size;
            while (left > 0) {
                const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left, part.size()));
                const ssize_t count = ::read(opened->get(), part.data(), most);
                if (count < 0 && errno == EINTR)
                    continue;
                if (count < 0)
                    return makeErrnoError("cannot read " + file.string(), errno);
                if (count == 0)
                    return makeError(ErrorCode::Corrupt, file.string() + " was truncated");
                const auto read = static_cast<std::size_t>(count);
                if (auto written = writeAll(copy, std::string_view(part).substr(0, read), target); !written)
                    return written;
                left -= read;
            }
            return {};
        },
        Survives::Kill);
}

std::optional<Histogram> parseHistogram(std::string_view untrusted)
{
    const json object = launch::parseUntrustedJson(untrusted);
    if (!object.is_object())
        return std::nullopt;
    auto counts = numbersIn(object, "counts");
    auto edges = numbersIn(object, "edges");
    if (!counts || !edges || edges->size() != (counts->empty() ? 0 : counts->size() + 1))
        return std::nullopt;
    if (std::ranges::any_of(*counts, [](double count) { return count < 0; })
        || std::ranges::adjacent_find(*edges, std::greater_equal()) != edges->end())
        return std::nullopt;
    Histogram histogram{std::move(*counts), std::move(*edges)};
    if (const auto field = object.find("not_finite"); field != object.end() && field->is_number())
        histogram.notFinite = std::max(0.0, field->get<double>());
    return histogram;
}

std::optional<Table> parseTable(std::string_view untrusted)
{
    const json object = launch::parseUntrustedJson(untrusted);
    if (!object.is_object())
        return std::nullopt;
    const auto columns = object.find("columns");
    const auto rows = object.find("rows");
    if (columns == object.end() || rows == object.end() || !columns->is_array() || !rows->is_array()
        || columns->size() > mostColumns || rows->size() > mostRows)
        return std::nullopt;
    Table table;
    for (const json &column : *columns) {
        if (!column.is_string())
            return std::nullopt;
        table.columns.push_back(column.get<std::string>());
    }
    for (const json &row : *rows) {
        if (!row.is_array() || row.size() != table.columns.size())
            return std::nullopt;
        std::vector<Cell> cells;
        cells.reserve(row.size());
        for (const json &value : row)
            cells.push_back(cellOf(value));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace sweepscope::media
