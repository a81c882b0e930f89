#include "base/builtworker.h"

#include "base/files.h"
#include "base/installation.h"
#include "base/userfolders.h"

#include <sstream>
#include <string_view>
#include <system_error>

namespace sweepscope {

namespace {

constexpr std::uint64_t mostBytes = 64 * 1024;
constexpr const char *program = "sweepscope-worker";

std::string firstLineOf(const std::filesystem::path &file)
{
    const Expected<std::string> text = readFile(file, mostBytes);
    return text ? text->substr(0, text->find('\n')) : std::string();
}

}  // namespace

std::filesystem::path workerSources()
{
    return shareFolder() / "worker";
}

std::filesystem::path builtWorkerFolder()
{
    const std::string version = firstLineOf(workerSources() / "version.txt");
    return version.empty() ? std::filesystem::path() : userDataFolder() / "sweepscope" / "worker" / version;
}

std::filesystem::path workerProgram()
{
    const std::filesystem::path sibling = executableFolder() / program;
    std::error_code error;
    if (std::filesystem::exists(sibling, error))
        return sibling;
    const std::filesystem::path built = builtWorkerFolder();
    return built.empty() ? sibling : built / "bin" / program;
}

std::string torchVersion(const std::filesystem::path &folder)
{
    const Expected<std::string> text = readFile(folder / "version.py", mostBytes);
    if (!text)
        return {};
    constexpr std::string_view name = "\n__version__ = ";
    const std::size_t found = ('\n' + *text).find(name);
    if (found == std::string::npos)
        return {};
    const std::size_t begin = found + name.size();  // after the quote, as the line feed in front is not in the file
    return text->substr(begin, text->find_first_of("'\"\n", begin) - begin);
}

Expected<void> recordTorch(const std::filesystem::path &folder, const InstalledTorch &torch)
{
    return writeFileAtomically(folder / "torch.txt",
                               torch.python + '\n' + torch.folder.string() + '\n' + torch.version + '\n');
}

std::optional<InstalledTorch> recordedTorch(const std::filesystem::path &worker)
{
    const Expected<std::string> text = readFile(worker.parent_path().parent_path() / "torch.txt", mostBytes);
    if (!text)
        return std::nullopt;
    std::istringstream lines(*text);
    InstalledTorch torch;
    std::string folder;
    std::getline(lines, torch.python);
    std::getline(lines, folder);
    std::getline(lines, torch.version);
    torch.folder = folder;
    return torch;
}

}  // namespace sweepscope
