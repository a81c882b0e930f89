#include "remote/mirrorfolder.h"

#include "base/filelock.h"
#include "base/files.h"
#include "base/folderentries.h"
#include "base/workspaceaccess.h"
#include "base/workspacelayout.h"
#include "sweep/tomltext.h"

#include <QCryptographicHash>

#include <chrono>
#include <cstdlib>
#include <toml++/toml.h>
#include <vector>

namespace sweepscope::remote {

namespace {

constexpr std::uint64_t mostMirrorFile = 64 * 1024;
constexpr int digitsOfName = 12;
constexpr std::chrono::hours unusedFor{30 * 24};

std::filesystem::path cacheFolder()
{
    for (const auto &[variable, below] : {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", ".cache")}) {
        const char *value = std::getenv(variable);
        if (value != nullptr && value[0] == '/')
            return std::filesystem::path(value) / below / "sweepscope" / "mirrors";
    }
    return runtimeFolder() / "mirrors";
}

std::filesystem::path fileIn(const std::filesystem::path &root)
{
    return WorkspaceLayout{root}.mirrorFile();
}

/// "gpu1-1f3a…": for people the host, and the hash so that each workspace has its own.
std::string nameOf(const SshTarget &target)
{
    std::string host = target.destination.substr(target.destination.rfind('@') + 1);
    for (char &c : host) {
        const bool isPlain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
        c = isPlain ? c : '_';
    }
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(toString(target)), QCryptographicHash::Sha256).toHex();
    return host + "-" + hash.first(digitsOfName).toStdString();
}

}  // namespace

Expected<std::optional<MirrorFolder>> mirrorIn(const std::filesystem::path &root)
{
    const std::filesystem::path file = fileIn(root);
    const Expected<std::string> toml = readFile(file, mostMirrorFile);
    if (!toml)
        return toml.error().code == ErrorCode::NotFound ? Expected<std::optional<MirrorFolder>>(std::nullopt)
                                                        : tl::unexpected(toml.error());
    std::string address;
    try {
        if (!sweep::nestingProblem(*toml))
            address = toml::parse(*toml)["workspace"].value_or(std::string());
    } catch (const toml::parse_error &) {
        // reported below
    }
    const Expected<SshTarget> target = parseSshTarget(address);
    if (!target)
        return makeError(ErrorCode::BadInput, file.string() + ": workspace must be an address of ssh");
    return std::optional(MirrorFolder{root, *target});
}

void removeUnusedMirrors(const MirrorFolder &current)
{
    if (current.root.parent_path() != cacheFolder())
        return;  // it was made by hand, among other folders
    std::error_code error;
    std::vector<std::filesystem::path> unused;
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const auto &entry : entriesOf(current.root.parent_path())) {
        const WorkspaceLayout other{entry.path()};
        const auto opened = std::filesystem::last_write_time(other.mirrorFile(), error);
        if (!error && now - opened > unusedFor && other.root != current.root && !isLocked(other.lockFile()))
            unused.push_back(other.root);
    }
    for (const std::filesystem::path &root : unused)
        std::filesystem::remove_all(root, error);
}

Expected<MirrorFolder> mirrorOf(const SshTarget &target)
{
    MirrorFolder mirror{cacheFolder() / nameOf(target), target};
    if (const Expected<void> made = makeWorkspaceFolder(mirror.root); !made)
        return tl::unexpected(made.error());
    const Expected<void> written =
        writeFileAtomically(fileIn(mirror.root), "# Copies of the viewed files of a workspace on another machine.\n"
                                                 "workspace = "
                                                     + sweep::tomlString(toString(target)) + "\n");
    return written.map([&mirror] { return mirror; });
}

}  // namespace sweepscope::remote
