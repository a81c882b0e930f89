#include "base/workspacelayout.h"

#include "base/userfolders.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope {

namespace {

/// FNV-1a, 64 bit: http://www.isthe.com/chongo/tech/comp/fnv/. For a name, not for safety.
std::uint64_t fnv1a(const std::string &text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

/// Takes a number from the beginning of the text. nullopt: there is none.
std::optional<int> takeNumber(std::string_view &text)
{
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || number < 0 || text.starts_with('-'))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

bool take(std::string_view &text, std::string_view word)
{
    const bool has = text.starts_with(word);
    if (has)
        text.remove_prefix(word.size());
    return has;
}

}  // namespace

std::optional<RankRange> rankRangeOf(const std::filesystem::path &folder)
{
    const std::string name = folder.filename().string();
    std::string_view text = name;
    const auto first = take(text, "ranks-") ? takeNumber(text) : std::nullopt;
    const auto last = first && take(text, "-") ? takeNumber(text) : std::nullopt;
    if (!last || !text.empty() || *last < *first)
        return std::nullopt;
    return RankRange{*first, *last};
}

std::optional<int> rankOfFile(const std::string &name)
{
    std::string_view text = name;
    if (!take(text, "rank-") && !take(text, "trace-rank-"))
        return std::nullopt;
    return takeNumber(text);
}

std::filesystem::path runtimeFolder()
{
    std::filesystem::path folder = folderFromEnvironment("XDG_RUNTIME_DIR");
    folder = folder.empty() ? std::filesystem::path("/tmp") / ("sweepscope-" + std::to_string(::getuid()))
                            : folder / "sweepscope";
    ::mkdir(folder.c_str(), 0700);
    return folder;
}

std::filesystem::path WorkspaceLayout::trialFolder(const std::string &folderName, int trial) const
{
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "%04d", trial);
    return sweepFolder(folderName) / "trials" / number.data();
}

AttemptLayout WorkspaceLayout::attempt(const std::string &folderName, int trial, int attemptNumber) const
{
    return {trialFolder(folderName, trial) / std::to_string(attemptNumber)};
}

namespace {

std::filesystem::path socketPath(const std::filesystem::path &workspaceRoot, const char *ending)
{
    const std::filesystem::path folder = runtimeFolder();
    std::error_code error;
    std::filesystem::path canonical = std::filesystem::weakly_canonical(workspaceRoot, error);
    if (error)
        canonical = workspaceRoot;
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(fnv1a(canonical.string())));
    return folder / (name.data() + std::string(ending));
}

}  // namespace

std::filesystem::path engineSocketPath(const std::filesystem::path &workspaceRoot)
{
    return socketPath(workspaceRoot, ".sock");
}

std::filesystem::path readerSocketPath(const std::filesystem::path &workspaceRoot)
{
    return socketPath(workspaceRoot, ".reader.sock");
}

std::filesystem::path defaultWorkspaceRoot()
{
    if (const char *chosen = std::getenv("SWEEPSCOPE_WORKSPACE"); chosen != nullptr && *chosen != '\0')
        return chosen;
    return userDataFolder() / "sweepscope" / "workspace";
}

}  // namespace sweepscope
