#include "media/mediaindex.h"

#include "base/files.h"
#include "base/printable.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::media {

namespace {

using nlohmann::json;

constexpr std::size_t longestLine = 64 * 1024;
constexpr std::size_t longestText = 1024;
constexpr std::size_t longestFileName = 255;

constexpr std::array<std::pair<std::string_view, MediaKind>, 6> kinds{{
    {"image", MediaKind::Image},
    {"histogram", MediaKind::Histogram},
    {"text", MediaKind::Text},
    {"table", MediaKind::Table},
    {"confusion_matrix", MediaKind::ConfusionMatrix},
    {"artifact", MediaKind::Artifact},
}};

std::optional<std::int64_t> integerIn(const json &object, const char *name)
{
    const auto field = object.find(name);
    if (field == object.end() || !field->is_number_integer())
        return std::nullopt;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (field->is_number_unsigned() && field->get<std::uint64_t>() > most)
        return std::nullopt;
    return field->get<std::int64_t>();
}

/// Empty unless it is a string of usual length.
std::string textIn(const json &object, const char *name)
{
    const auto field = object.find(name);
    if (field == object.end() || !field->is_string())
        return {};
    const auto &text = field->get_ref<const std::string &>();
    return text.size() <= longestText ? text : std::string();
}

bool isNameOfFile(const std::string &name)
{
    return !name.empty() && name.size() <= longestFileName && name.front() != '.'
           && std::ranges::all_of(name, [](char c) {
                  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.'
                         || c == '_' || c == '-';
              });
}

}  // namespace

std::optional<MediaItem> parseMediaLine(std::string_view untrusted)
{
    if (untrusted.size() > longestLine)
        return std::nullopt;
    const json object = launch::parseUntrustedJson(untrusted);
    if (!object.is_object())
        return std::nullopt;
    const std::string kindName = textIn(object, "kind");
    const auto *kind = std::ranges::find(kinds, kindName, &decltype(kinds)::value_type::first);
    const auto step = integerIn(object, "step");
    const auto time = integerIn(object, "time_ns");
    const auto size = integerIn(object, "size");
    if (kind == kinds.end() || !step || !time || *time < 0 || !size || *size < 0)
        return std::nullopt;
    MediaItem item;
    item.kind = kind->second;
    item.name = printable(textIn(object, "name"));
    item.caption = printable(textIn(object, "caption"));
    item.hash = textIn(object, "hash");
    item.step = *step;
    item.time = *time;
    item.size = static_cast<std::uint64_t>(*size);
    if (item.name.empty() || item.hash.empty())
        return std::nullopt;
    if (item.kind == MediaKind::Artifact) {
        item.file = textIn(object, "file");
        return isNameOfFile(item.file) ? std::optional(std::move(item)) : std::nullopt;
    }
    const auto offset = integerIn(object, "offset");
    if (!offset || *offset < 0 || item.size > mostItemBytes)
        return std::nullopt;
    item.offset = static_cast<std::uint64_t>(*offset);
    return item;
}

std::filesystem::path mediaIndexFile(const AttemptLayout &attempt, int rank)
{
    return attempt.ofRanks() / ("rank-" + std::to_string(rank) + ".media.jsonl");
}

std::filesystem::path contentFile(const AttemptLayout &attempt, int rank, const MediaItem &item)
{
    return item.kind == MediaKind::Artifact ? attempt.ofRanks() / "artifacts" / item.file
                                            : attempt.ofRanks() / ("rank-" + std::to_string(rank) + ".media");
}

bool MediaIndex::poll()
{
    const auto file = openRegularFile(m_file, O_RDONLY);
    struct stat now {};
    if (!file || ::fstat(file->get(), &now) != 0) {
        const bool hadItems = !m_items.empty();
        restart();
        return hadItems;
    }
    bool isOther = false;
    const auto size = std::min(static_cast<std::uint64_t>(now.st_size), mostIndexBytes);
    if (now.st_dev != m_device || now.st_ino != m_inode || size < m_offset) {
        isOther = !m_items.empty();
        restart();
        m_device = now.st_dev;
        m_inode = now.st_ino;
    }
    const std::size_t before = m_items.size();
    std::string part;
    while (m_offset < size) {
        constexpr std::uint64_t mostAtOnce = 1U << 20U;
        part.resize(static_cast<std::size_t>(std::min(size - m_offset, mostAtOnce)));
        const ssize_t count = ::pread(file->get(), part.data(), part.size(), static_cast<off_t>(m_offset));
        if (count <= 0)
            break;
        m_offset += static_cast<std::uint64_t>(count);
        std::string_view rest(part.data(), static_cast<std::size_t>(count));
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            m_line += rest.substr(0, end);
            addLine(std::exchange(m_line, {}));
            rest.remove_prefix(end + 1);
        }
        // One byte more than the longest is enough to refuse it.
        m_line += rest.substr(0, m_line.size() > longestLine ? 0 : rest.size());
    }
    return isOther || m_items.size() != before;
}

void MediaIndex::restart()
{
    m_device = 0;
    m_inode = 0;
    m_offset = 0;
    m_line.clear();
    m_items.clear();
    m_damaged = 0;
}

void MediaIndex::addLine(std::string_view line)
{
    if (line.empty())
        return;
    if (auto item = parseMediaLine(line))
        m_items.push_back(std::move(*item));
    else
        ++m_damaged;
}

}  // namespace sweepscope::media
