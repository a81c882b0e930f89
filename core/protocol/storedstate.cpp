#include "protocol/storedstate.h"

#include "base/files.h"
#include "protocol/engineclient.h"
#include "protocol/framereader.h"
#include "protocol/messages.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace sweepscope::protocol {

namespace {

constexpr std::uint64_t mostBytes = 256 * 1024 * 1024;
constexpr std::size_t trialsPerMessage = 64;

/// As an engine would send it. The file is a stream of frames.
void append(QByteArray &stream, const Message &message)
{
    stream += frame(encode(message));
}

/// Returns false for a message that no state has.
bool apply(StoredState &stored, Message message)
{
    if (auto *sweep = std::get_if<SweepChanged>(&message))
        stored.state.apply(std::move(*sweep));
    else if (auto *trials = std::get_if<TrialsChanged>(&message))
        stored.state.apply(std::move(*trials), [](int, int) {});
    else
        return false;
    return true;
}

}  // namespace

Expected<void> storeState(const std::filesystem::path &file, const EngineClient &client)
{
    QByteArray stream;
    append(stream, Hello{version, QStringLiteral("mirror"), 0, client.workspaceName()});
    for (const sweep::SweepRecord &sweep : client.sweeps()) {
        append(stream, SweepChanged{sweep});
        const std::vector<sweep::TrialRecord> &trials = client.trials(sweep.id);
        for (std::size_t first = 0; first < trials.size(); first += trialsPerMessage) {
            const auto begin = trials.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = begin + static_cast<std::ptrdiff_t>(std::min(trialsPerMessage, trials.size() - first));
            append(stream, TrialsChanged{sweep.id, {begin, end}});
        }
    }
    append(stream, Ready{});
    return writeFileAtomically(file, stream.toStdString());
}

std::optional<StoredState> storedState(const std::filesystem::path &file)
{
    const Expected<std::string> bytes = readFile(file, mostBytes);
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file, error);
    if (!bytes || error)
        return std::nullopt;
    StoredState stored;
    stored.time = std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::file_clock::to_sys(written).time_since_epoch())
                      .count();
    FrameReader frames;
    frames.append(QByteArray::fromStdString(*bytes));
    bool isGreeted = false;
    for (;;) {
        const auto payload = frames.next();
        auto message = payload && *payload ? decode(**payload) : Expected<Message>(tl::unexpected(Error()));
        if (!message)
            return std::nullopt;
        if (std::holds_alternative<Ready>(*message))
            return isGreeted ? std::optional(std::move(stored)) : std::nullopt;
        const auto *hello = std::get_if<Hello>(&*message);
        if (hello != nullptr && !std::exchange(isGreeted, true) && hello->version == version)
            stored.workspace = hello->workspace;
        else if (!isGreeted || !apply(stored, std::move(*message)))
            return std::nullopt;
    }
}

}  // namespace sweepscope::protocol
