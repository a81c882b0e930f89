#include "process/processowner.h"

#include "base/files.h"

#include <array>
#include <pwd.h>
#include <sys/stat.h>

namespace sweepscope::process {

namespace {

constexpr std::uint64_t mostNameBytes = 4096;

std::string folderOf(pid_t pid, const std::string &procFolder)
{
    return procFolder + "/" + std::to_string(pid);
}

}  // namespace

std::optional<std::string> userOfProcess(pid_t pid, const std::string &procFolder)
{
    struct stat info = {};
    if (::stat(folderOf(pid, procFolder).c_str(), &info) != 0)
        return std::nullopt;
    passwd entry{};
    passwd *found = nullptr;
    std::array<char, 4096> buffer{};
    if (::getpwuid_r(info.st_uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return std::string(found->pw_name);
    return std::to_string(info.st_uid);
}

std::optional<std::string> nameOfProcess(pid_t pid, const std::string &procFolder)
{
    auto name = readFile(folderOf(pid, procFolder) + "/comm", mostNameBytes);
    if (!name)
        return std::nullopt;
    if (!name->empty() && name->back() == '\n')
        name->pop_back();
    return *name;
}

}  // namespace sweepscope::process
