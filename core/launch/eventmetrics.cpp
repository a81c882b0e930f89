#include "launch/eventmetrics.h"

#include "base/files.h"
#include "feed/feedwriter.h"
#include "launch/agentmessage.h"
#include "output/eventstream.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <map>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr std::size_t eventChunkBytes = 16 * 1024;
constexpr std::uint64_t eventPointsAtOnce = 50'000;
constexpr auto eventTimeAtOnce = 10ms;
constexpr auto betweenLooksForFiles = 1s;
constexpr std::size_t mostEventFiles = 100;
constexpr std::size_t mostEventSeries = 1000;
/// A folder with more, such as one with a data set in it, takes too long to search each second.
constexpr int mostEntries = 20'000;
constexpr int deepestFolder = 8;

}  // namespace

bool isWrittenBy(std::string_view fileName, const std::set<pid_t> &processes)
{
    const std::string_view mark = "tfevents.";
    const std::size_t begin = fileName.find(mark);
    if (begin == std::string_view::npos)
        return false;
    std::string_view rest = fileName.substr(begin + mark.size());
    rest.remove_prefix(std::min(rest.find('.'), rest.size()));  // the time
    bool hasNumber = false;
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view part = rest.substr(0, rest.find('.'));
        pid_t number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error == std::errc() && end == part.data() + part.size()) {
            hasNumber = true;
            if (processes.contains(number))
                return true;
        }
        rest.remove_prefix(part.size());
    }
    return !hasNumber;
}

struct EventMetrics::State {
    struct File {
        std::filesystem::path path;
        FileDescriptor file;
        output::EventStream stream;
        std::int64_t offset = 0;
        bool isOver = false;  ///< damaged
    };

    State(const output::MetricsSection &section, feed::FeedWriter ring)
        : folder(section.tensorboard),
          picksAll(section.series.empty()),
          writer(std::move(ring)),
          buffer(eventChunkBytes)
    {
        for (const auto &[name, tag] : section.series)
            names[tag].push_back(name);
    }

    void find(bool areOurs);
    void follow(const std::filesystem::path &path);
    bool read(File &file);
    void put(const output::EventScalar &scalar);
    void putAs(const std::string &name, const output::EventScalar &scalar);

    std::filesystem::path folder;
    bool picksAll;
    std::map<std::string, std::vector<std::string>> names;  ///< of series, by tag
    feed::FeedWriter writer;
    std::vector<char> buffer;
    std::set<pid_t> processes;
    std::set<std::filesystem::path> known;  ///< that were there before, or are followed
    std::vector<std::unique_ptr<File>> files;
    std::map<std::string, std::uint16_t> series;
    std::uint64_t points = 0;
    Steady::time_point nextLook{};
    bool isTooLarge = false;
};

/// Files that are not `areOurs` were there before.
void EventMetrics::State::find(bool areOurs)
{
    nextLook = Steady::now() + betweenLooksForFiles;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    std::vector<std::filesystem::path> found;
    for (int count = 0; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        if (++count > mostEntries) {
            if (!std::exchange(isTooLarge, true))
                logWarning(folder.string() + " has more than " + std::to_string(mostEntries)
                           + " entries; event files are only searched in the first ones: name a smaller folder in "
                             "run.metrics.tensorboard");
            break;
        }
        if (entry.depth() >= deepestFolder)
            entry.disable_recursion_pending();
        const std::string name = entry->path().filename().string();
        if (name.find("tfevents") == std::string::npos || known.contains(entry->path()))
            continue;
        if (!areOurs)
            known.insert(entry->path());
        else if (isWrittenBy(name, processes))
            found.push_back(entry->path());
    }
    std::ranges::sort(found);
    for (const std::filesystem::path &path : found)
        follow(path);
}

void EventMetrics::State::follow(const std::filesystem::path &path)
{
    if (files.size() >= mostEventFiles)
        return;
    known.insert(path);
    auto file = openRegularFile(path, O_RDONLY);
    if (!file)
        return logWarning(file.error().message);
    output::EventStream::Sink sink;
    sink.scalar = [this](const output::EventScalar &scalar) { put(scalar); };
    files.push_back(std::make_unique<File>(File{path, std::move(*file), output::EventStream(std::move(sink))}));
    if (files.size() == mostEventFiles)
        logWarning("the attempt has written " + std::to_string(mostEventFiles) + " event files; more are not read");
}

/// Reads a part. Returns false at the end of the file.
bool EventMetrics::State::read(File &file)
{
    ssize_t got = 0;
    do
        got = ::pread(file.file.get(), buffer.data(), buffer.size(), file.offset);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    file.offset += got;
    const Expected<void> added = file.stream.add({buffer.data(), static_cast<std::size_t>(got)});
    if (!added) {
        file.isOver = true;
        logWarning(file.path.string() + ": " + added.error().message);
    }
    return !file.isOver;
}

void EventMetrics::State::put(const output::EventScalar &scalar)
{
    if (picksAll)
        return putAs(scalar.tag, scalar);
    const auto found = names.find(scalar.tag);
    if (found == names.end())
        return;
    for (const std::string &name : found->second)
        putAs(name, scalar);
}

void EventMetrics::State::putAs(const std::string &name, const output::EventScalar &scalar)
{
    auto place = series.find(name);
    if (place == series.end()) {
        if (series.size() >= mostEventSeries)
            return;
        place = series.emplace(name, writer.declare(name)).first;
    }
    ++points;
    if (scalar.time > 0)
        writer.write(place->second, scalar.step, scalar.time, scalar.value);
    else
        writer.write(place->second, scalar.step, scalar.value);
}

EventMetrics::EventMetrics(std::unique_ptr<State> state) : m_state(std::move(state)) {}
EventMetrics::EventMetrics(EventMetrics &&) noexcept = default;
EventMetrics &EventMetrics::operator=(EventMetrics &&) noexcept = default;
EventMetrics::~EventMetrics() = default;

Expected<EventMetrics> EventMetrics::create(const output::MetricsSection &metrics, const std::filesystem::path &ring)
{
    auto writer = feed::FeedWriter::open(ring);
    if (!writer)
        return tl::unexpected(writer.error());
    EventMetrics made(std::make_unique<State>(metrics, std::move(*writer)));
    made.m_state->find(false);
    return made;
}

void EventMetrics::add(pid_t process)
{
    m_state->processes.insert(process);
}

bool EventMetrics::advance()
{
    const auto until = Steady::now() + eventTimeAtOnce;
    if (Steady::now() >= m_state->nextLook)
        m_state->find(true);
    const std::uint64_t most = m_state->points + eventPointsAtOnce;
    for (const std::unique_ptr<State::File> &file : m_state->files) {
        while (!file->isOver && m_state->read(*file)) {
            if (m_state->points >= most || Steady::now() >= until)
                return true;
        }
    }
    return false;
}

void EventMetrics::lookAgain()
{
    m_state->find(true);
}

void EventMetrics::finish()
{
    if (m_state->points == 0)
        logWarning(m_state->files.empty()
                       ? "no process of this attempt has written an event file of TensorBoard in "
                             + m_state->folder.string()
                       : "the event files in " + m_state->folder.string() + " have no scalar of [run.metrics]");
}

}  // namespace sweepscope::launch
