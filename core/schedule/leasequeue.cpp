#include "schedule/leasequeue.h"

#include "base/printable.h"
#include "schedule/leaseholder.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>
#include <tuple>
#include <unistd.h>

namespace sweepscope::schedule {

namespace {

constexpr const char *queueNotes = "queue";
constexpr int updateTries = 10;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t freshness = 10 * second;

std::int64_t sinceBoot()
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * second + time.tv_nsec;
}

/// Up to the separator, which goes too.
std::string_view cut(std::string_view &text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// A trial of another engine.
struct Other {
    LeaseHolder holder;
    std::int64_t since = 0;
    std::int64_t seen = 0;
    std::vector<std::string> gpuIds;
};

std::vector<Other> parse(std::string_view untrusted)
{
    std::vector<Other> others;
    while (!untrusted.empty()) {
        const auto holder = parseLeaseHolder(cut(untrusted, '\n'));
        std::string_view line = cut(untrusted, '\n');
        const auto since = number(cut(line, '\t'));
        const auto seen = number(cut(line, '\t'));
        if (!holder || !since || !seen)
            break;
        Other other{*holder, *since, *seen, {}};
        while (!line.empty())
            other.gpuIds.emplace_back(cut(line, '\t'));
        others.push_back(std::move(other));
    }
    return others;
}

}  // namespace

LeaseQueue::LeaseQueue(std::string workspace, std::int64_t (*clock)())
    : m_workspace(std::move(workspace)), m_clock(clock != nullptr ? clock : sinceBoot)
{}

void LeaseQueue::update(const std::filesystem::path &path, const std::vector<GpuLeases::Waiting> &waiting)
{
    const std::int64_t now = m_clock();
    m_changed = m_changed || waiting.size() != m_entries.size();
    std::vector<Entry> entries;
    for (const GpuLeases::Waiting &each : waiting) {
        const auto known = std::find_if(m_entries.begin(), m_entries.end(),
                                        [&](const Entry &entry) { return entry.waiting.sweep == each.sweep; });
        m_changed = m_changed || known == m_entries.end() || known->waiting.purpose != each.purpose
                    || known->waiting.gpuIds != each.gpuIds;
        entries.push_back({each, known != m_entries.end() ? known->since : now});
    }
    m_entries = std::move(entries);
    if (m_entries.empty()) {
        m_note = FileDescriptor();  // the lock goes with it
        return;
    }
    if (!m_changed && m_note && now - m_written < second)
        return;
    const Expected<SharedFolder> folder = SharedFolder::open(path);
    if (!folder)
        return;  // who takes a GPU says so
    const Expected<FileDescriptor> gate = folder->lockGate(updateTries);
    if (!gate)
        return;
    if (!m_note) {
        Expected<FileDescriptor> note = folder->claimNote(queueNotes);
        if (!note)
            return;
        m_note = std::move(*note);
    }
    std::string text;
    for (const Entry &entry : m_entries) {
        text += holderHere(::getpid(), m_workspace, entry.waiting.purpose).line() + std::to_string(entry.since) + '\t'
                + std::to_string(now);
        for (const std::string &gpuId : entry.waiting.gpuIds)
            text += '\t' + printable(gpuId);
        text += '\n';
    }
    if (replaceText(m_note, text)) {
        m_written = now;
        m_changed = false;
    }
}

void LeaseQueue::forget(const std::string &sweep)
{
    m_changed =
        std::erase_if(m_entries, [&](const Entry &entry) { return entry.waiting.sweep == sweep; }) > 0 || m_changed;
}

std::map<std::string, LeaseHolder> LeaseQueue::before(const SharedFolder &folder, const std::string &sweep) const
{
    const std::int64_t now = m_clock();
    const std::string ourName = printable(m_workspace);
    const auto ours = std::find_if(m_entries.begin(), m_entries.end(),
                                   [&](const Entry &entry) { return entry.waiting.sweep == sweep; });
    const std::int64_t since = ours != m_entries.end() ? ours->since : now;
    std::map<std::string, std::pair<std::int64_t, LeaseHolder>> first;
    for (const std::string &untrusted : folder.notes(queueNotes)) {
        for (const Other &other : parse(untrusted)) {
            const bool isFresh = now - other.seen <= freshness && other.seen - now <= freshness;
            const bool isBefore = std::tie(other.since, other.holder.workspace) < std::tie(since, ourName);
            if (other.holder.workspace == ourName || !isFresh || !isBefore)
                continue;
            for (const std::string &gpuId : other.gpuIds) {
                const auto [known, isFirst] = first.emplace(gpuId, std::pair(other.since, other.holder));
                if (!isFirst && other.since < known->second.first)
                    known->second = {other.since, other.holder};
            }
        }
    }
    std::map<std::string, LeaseHolder> holders;
    for (const auto &[gpuId, other] : first)
        holders.emplace(gpuId, other.second);
    return holders;
}

}  // namespace sweepscope::schedule
