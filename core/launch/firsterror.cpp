#include "launch/firsterror.h"

#include "base/files.h"
#include "launch/lastwords.h"
#include "launch/rankenvironment.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <sys/stat.h>
#include <tuple>

namespace sweepscope::launch {

namespace {

/// A traceback through a few hundred frames fits.
constexpr std::size_t logTailBytes = 64 * 1024;
constexpr std::uint64_t maxErrorFileBytes = 1024 * 1024;

/// Returns the tail of the file. A secret cut by the tail's beginning is removed, along with everything that may belong
/// to it.
std::string tailOf(const std::filesystem::path &file, const SecretValues &secrets)
{
    const std::string read = readTail(file, logTailBytes);
    std::string tail = secrets.masked(read);
    if (read.size() >= logTailBytes)
        tail.erase(0, secrets.longest());
    return tail;
}

LastWords ownWords(const std::string &message)
{
    return message.find("Traceback (most recent call last)") != std::string::npos ? lastWords(message)
                                                                                  : LastWords{inOneLine(message), true};
}

/// Returns what torch's @record wrote to TORCHELASTIC_ERROR_FILE: {"message": {"message": "ValueError: …", "extraInfo":
/// {"py_callstack": "Traceback …"}}}, or a plain string.
LastWords recordedError(const std::filesystem::path &file, const SecretValues &secrets)
{
    const auto content = readFile(file, maxErrorFileBytes);
    if (!content)
        return {};
    const auto untrusted = parseUntrustedJson(*content);
    if (!untrusted.is_object() || !untrusted.contains("message"))
        return {};
    const auto &message = untrusted["message"];
    if (message.is_string())
        return ownWords(secrets.masked(message.get<std::string>()));
    if (!message.is_object() || !message.contains("message") || !message["message"].is_string())
        return {};
    LastWords words = ownWords(secrets.masked(message["message"].get<std::string>()));
    const auto more = message.value("extraInfo", nlohmann::json());
    if (more.is_object() && more.contains("py_callstack") && more["py_callstack"].is_string())
        words.source = lastWords(more["py_callstack"].get<std::string>()).source;
    return words;
}

LastWords wordsOf(const RankProcess &rank, const AttemptLayout &layout, const SecretValues &secrets = {})
{
    LastWords recorded = recordedError(rankErrorFile(layout.ofRanks(), rank.rank), secrets);
    return recorded.text.empty() ? lastWords(tailOf(layout.rankLog(rank.rank), secrets)) : recorded;
}

std::int64_t lastWriteNs(const std::filesystem::path &file)
{
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0)
        return 0;
    return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

/// A rank may continue to write to its log after its error, while it ends. Its error file is written once; the file's
/// modification time is in nanoseconds, the time within it only in seconds.
std::int64_t failureTimeNs(const RankProcess &rank, const AttemptLayout &layout)
{
    const std::int64_t recorded = lastWriteNs(rankErrorFile(layout.ofRanks(), rank.rank));
    return recorded != 0 ? recorded : lastWriteNs(layout.rankLog(rank.rank));
}

}  // namespace

facts::Fact failureOf(const RankProcess &rank, const AttemptLayout &layout, const Shortage &shortage,
                      const SecretValues &secrets)
{
    using facts::Field;
    const LastWords words = wordsOf(rank, layout, secrets);
    facts::Fact fact =
        facts::Fact(rank.signal ? facts::Code::RankKilled : facts::Code::RankExited).with(Field::Rank, rank.rank);
    if (rank.signal)
        fact = std::move(fact).with(Field::Signal, *rank.signal);
    else
        fact = std::move(fact).with(Field::ExitCode, rank.exitCode.value_or(0));
    if (words.isError)
        fact = std::move(fact).with(Field::IsError, 1);
    const bool saysDisk = words.text.find(std::strerror(ENOSPC)) != std::string::npos;
    std::string lacked = shortage.memory ? "memory" : "";
    if (shortage.disk && !saysDisk)
        lacked += lacked.empty() ? "disk" : ",disk";
    if (!lacked.empty())
        fact = std::move(fact).with(Field::Shortage, lacked);
    if (!words.source.empty())
        fact = std::move(fact).with(Field::Source, words.source);
    if (!words.text.empty())
        fact = std::move(fact).with(Field::Detail, words.text);
    return fact;
}

LastWords lastOutput(const std::filesystem::path &log, const SecretValues &secrets)
{
    return lastWords(tailOf(log, secrets));
}

bool blamesPeer(const std::string &words)
{
    static constexpr std::array<std::string_view, 9> complaints{
        "lost another rank",
        "Connection reset by peer",
        "Connection closed by peer",
        "Connection refused",
        "Broken pipe",
        "Socket closed",
        "remote process exit",
        "communicator was aborted",
        "The client socket has",
    };
    return std::any_of(complaints.begin(), complaints.end(),
                       [&](std::string_view text) { return words.find(text) != std::string::npos; });
}

const RankProcess &firstToFail(const std::vector<const RankProcess *> &failed, const AttemptLayout &layout)
{
    const auto order = [&](const RankProcess *rank) {
        return std::tuple(!rank->signal.has_value(), blamesPeer(wordsOf(*rank, layout).text),
                          failureTimeNs(*rank, layout), rank->rank);
    };
    return **std::min_element(failed.begin(), failed.end(),
                              [&](const RankProcess *a, const RankProcess *b) { return order(a) < order(b); });
}

}  // namespace sweepscope::launch
