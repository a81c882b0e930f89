#include "snapshot/filelist.h"

#include "base/printable.h"
#include "snapshot/gitprogram.h"
#include "wording/placeholders.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::snapshot {

namespace {

/// Of a virtual environment.
constexpr std::string_view environmentMark = "pyvenv.cfg";
constexpr int mostDepth = 64;

/// Patterns of .gitignore.
constexpr std::array<std::string_view, 10> leftOut{
    "*.pyc", ".ipynb_checkpoints", ".mypy_cache",  ".pytest_cache", ".ruff_cache", ".tox",
    ".venv", "__pycache__",        "node_modules", "venv"};

/// In a folder that is no repository, results are usually next to the code.
bool isUsualResult(const std::string &name)
{
    constexpr std::array<std::string_view, 4> usual{"checkpoints", "lightning_logs", "mlruns", "wandb"};
    return std::find(usual.begin(), usual.end(), name) != usual.end();
}

struct stat infoOf(const std::filesystem::path &path)
{
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        info.st_mode = 0;
    return info;
}

bool isFolder(const std::filesystem::path &path)
{
    return S_ISDIR(infoOf(path).st_mode);
}

bool hasRepository(const std::filesystem::path &folder)
{
    std::error_code error;
    return std::filesystem::exists(folder / ".git", error);
}

std::string join(const std::string &folder, const std::string &name)
{
    return folder.empty() ? name : folder + '/' + name;
}

/// Returns the folders with a pyvenv.cfg, with a slash at the end.
std::vector<std::string> environmentsIn(const std::vector<std::string> &names)
{
    std::vector<std::string> folders;
    for (const std::string &name : names) {
        if (name.ends_with("/" + std::string(environmentMark)))
            folders.push_back(name.substr(0, name.size() - environmentMark.size()));
    }
    return folders;
}

class Lister {
public:
    Lister(FileList &list, const std::filesystem::path &excluded, const std::atomic<bool> &cancelled)
        : m_list(list), m_excluded(excluded), m_cancelled(cancelled)
    {}

    /// `prefix`: a folder below the root; empty: the root.
    Expected<void> addRepository(const std::string &prefix, int depth);
    Expected<void> addFolder(const std::string &prefix, int depth);

private:
    std::filesystem::path at(const std::string &path) const { return m_list.root / path; }
    bool isExcluded(const std::string &path) const { return at(path) == m_excluded; }
    bool isInFolder(const std::string &path);
    Expected<void> add(const std::string &path, int depth);

    FileList &m_list;
    const std::filesystem::path &m_excluded;
    const std::atomic<bool> &m_cancelled;
    std::map<std::string, bool> m_folders{};  ///< whether each is one, and no link to one
};

/// A link may have replaced a folder whose files git still lists.
bool Lister::isInFolder(const std::string &path)
{
    const std::size_t end = path.rfind('/');
    if (end == std::string::npos)
        return true;
    const std::string folder = path.substr(0, end);
    if (const auto known = m_folders.find(folder); known != m_folders.end())
        return known->second;
    const bool isOne = isInFolder(folder) && isFolder(at(folder));
    m_folders.emplace(folder, isOne);
    return isOne;
}

Expected<void> Lister::add(const std::string &path, int depth)
{
    if (m_list.files.size() > mostFiles) {
        m_list.isComplete = false;
        return {};
    }
    const struct stat info = infoOf(at(path));
    const bool isFile = S_ISREG(info.st_mode);
    if (S_ISLNK(info.st_mode) || (isFile && ::faccessat(AT_FDCWD, at(path).c_str(), R_OK, AT_EACCESS) == 0))
        m_list.files.push_back({path, static_cast<std::uint64_t>(info.st_size)});
    else if (S_ISDIR(info.st_mode) && depth < mostDepth && hasRepository(at(path)))
        return addRepository(path, depth + 1);
    return {};
}

Expected<void> Lister::addRepository(const std::string &prefix, int depth)
{
    GitCommand command{{"-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"},
                       at(prefix)};
    // Of what git does not track; what it tracks is code.
    for (const std::string_view pattern : leftOut)
        command.arguments.insert(command.arguments.end(), {"--exclude", std::string(pattern)});
    const std::string excluded = m_excluded.lexically_relative(at(prefix)).string();
    if (!excluded.empty() && excluded != "." && !excluded.starts_with(".."))
        command.arguments.insert(command.arguments.end(), {"--exclude", ignorePattern(excluded)});
    const Expected<GitOutput> output = runGit(command, m_cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode != 0)
        return makeError(ErrorCode::BadInput,
                         "git cannot list the files in " + at(prefix).string() + ": " + output->complaint);
    std::vector<std::string> names = namesIn(output->text);
    for (std::string &name : names) {
        if (name.ends_with('/'))  // another repository
            name.pop_back();
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());  // during a merge a path occurs three times
    const std::vector<std::string> environments = environmentsIn(names);
    for (const std::string &name : names) {
        const std::string path = join(prefix, name);
        const bool isInEnvironment =
            std::any_of(environments.begin(), environments.end(),
                        [&](const std::string &environment) { return name.starts_with(environment); });
        if (isInEnvironment || isExcluded(path) || !isInFolder(path))
            continue;
        if (const Expected<void> added = add(path, depth); !added)
            return added;
    }
    m_list.isComplete = m_list.isComplete && !output->isCut;
    return {};
}

Expected<void> Lister::addFolder(const std::string &prefix, int depth)
{
    if (m_cancelled)
        return makeError(ErrorCode::Unavailable, "cancelled");
    const std::unique_ptr<DIR, int (*)(DIR *)> folder(::opendir(at(prefix).c_str()), ::closedir);
    if (!folder && prefix.empty())
        return makeErrnoError("cannot read the folder " + m_list.root.string(), errno);
    std::vector<std::string> names;
    while (const dirent *entry = folder ? ::readdir(folder.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && !isLeftOut(name) && !(prefix.empty() && isUsualResult(name)))
            names.push_back(name);
        if (name == environmentMark && !prefix.empty())
            return {};
        if (names.size() > mostFiles)
            m_list.isComplete = false;
        if (!m_list.isComplete)
            break;
    }
    std::sort(names.begin(), names.end());
    for (const std::string &name : names) {
        const std::string path = join(prefix, name);
        if (isExcluded(path))
            continue;
        const bool isPlainFolder = depth < mostDepth && isFolder(at(path)) && !hasRepository(at(path));
        const Expected<void> added = isPlainFolder ? addFolder(path, depth + 1) : add(path, depth);
        if (!added)
            return added;
        if (!m_list.isComplete)
            break;
    }
    return {};
}

/// Returns the top of the work tree; empty if the folder is in none.
Expected<std::filesystem::path> topOf(const std::filesystem::path &folder, const std::atomic<bool> &cancelled)
{
    bool mayBe = false;
    for (std::filesystem::path each = folder; !mayBe; each = each.parent_path()) {
        mayBe = hasRepository(each);
        if (each == each.parent_path())
            break;
    }
    if (!mayBe)
        return std::filesystem::path();
    const Expected<GitOutput> output = runGit({{"rev-parse", "--show-toplevel"}, folder}, cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode == 0 && output->text.size() > 1)
        return std::filesystem::path(output->text.substr(0, output->text.size() - 1));
    if (output->complaint.starts_with("not a git repository") || output->complaint.starts_with("this operation must"))
        return std::filesystem::path();
    if (output->complaint.find("dubious ownership") != std::string::npos)
        return makeError(ErrorCode::BadInput,
                         "the repository of " + folder.string()
                             + " belongs to another user; if you trust it, run: git config --global --add "
                               "safe.directory FOLDER, with the folder that contains .git");
    return makeError(ErrorCode::BadInput,
                     "git refuses the repository of " + folder.string() + ": " + output->complaint);
}

bool isHome(const std::filesystem::path &folder)
{
    const char *home = std::getenv("HOME");
    std::error_code error;
    return home != nullptr && std::filesystem::equivalent(folder, home, error);
}

/// A file or folder with what it weighs, where 1 is all that the limits allow.
struct Part {
    std::uint64_t bytes = 0;
    std::size_t files = 0;
    bool isFolder = false;

    double weight() const { return static_cast<double>(bytes) / mostBytes + static_cast<double>(files) / mostFiles; }
};

/// Returns the parts of a folder ("" or "a/b/").
std::map<std::string, Part> partsOf(const FileList &list, const std::string &folder)
{
    std::map<std::string, Part> parts;
    for (const CodeFile &file : list.files) {
        if (!file.path.starts_with(folder))
            continue;
        const std::size_t end = file.path.find('/', folder.size());
        Part &part = parts[file.path.substr(0, end)];
        part.bytes += file.bytes;
        part.files += 1;
        part.isFolder = end != std::string::npos;
    }
    return parts;
}

using NamedPart = std::pair<std::string, Part>;

std::vector<NamedPart> largestFirst(const FileList &list, const std::string &folder)
{
    const std::map<std::string, Part> parts = partsOf(list, folder);
    std::vector<NamedPart> largest(parts.begin(), parts.end());
    std::stable_sort(largest.begin(), largest.end(),
                     [](const NamedPart &a, const NamedPart &b) { return a.second.weight() > b.second.weight(); });
    return largest;
}

/// Names a folder inside others if it has nearly everything.
std::vector<NamedPart> largestParts(const FileList &list)
{
    constexpr std::size_t mostNamed = 3;
    constexpr double nearlyAll = 0.75;
    constexpr double little = 0.1;
    std::vector<NamedPart> largest = largestFirst(list, {});
    double total = 0;
    for (const auto &[path, part] : largest)
        total += part.weight();
    while (!largest.empty() && largest[0].second.isFolder) {
        std::vector<NamedPart> inner = largestFirst(list, largest[0].first + "/");
        if (inner[0].second.weight() < nearlyAll * total)
            break;
        largest = std::move(inner);
    }
    std::erase_if(largest, [&](const NamedPart &part) { return part.second.weight() < little * total; });
    if (largest.size() > mostNamed)
        largest.resize(mostNamed);
    return largest;
}

std::string inWords(const std::vector<NamedPart> &parts)
{
    std::string words;
    for (const auto &[path, part] : parts) {
        words += (words.empty() ? "" : ", ") + printable(path) + " (" + wording::bytes(static_cast<double>(part.bytes));
        if (part.isFolder)
            words += " in " + wording::grouped(static_cast<std::int64_t>(part.files)) + " files";
        words += ")";
    }
    return words;
}

}  // namespace

Expected<FileList> listCode(const std::filesystem::path &folder, const std::filesystem::path &excluded,
                            const std::atomic<bool> &cancelled)
{
    std::error_code error;
    const std::filesystem::path asked = std::filesystem::canonical(folder, error);
    if (error)
        return makeErrnoError("cannot find the folder " + folder.string(), error.value());
    if (!isFolder(asked))
        return makeError(ErrorCode::BadInput, folder.string() + " is not a folder");
    const std::filesystem::path notListed = std::filesystem::weakly_canonical(excluded, error);
    const Expected<std::filesystem::path> top = topOf(asked, cancelled);
    if (!top)
        return tl::unexpected<Error>(top.error());
    FileList list;
    list.isRepository = !top->empty() && !isHome(*top);
    list.root = list.isRepository ? *top : asked;
    list.below = asked.lexically_relative(list.root);
    if (list.below == ".")
        list.below.clear();
    Lister lister(list, notListed, cancelled);
    const Expected<void> listed = list.isRepository ? lister.addRepository({}, 0) : lister.addFolder({}, 0);
    if (!listed)
        return tl::unexpected<Error>(listed.error());
    std::sort(list.files.begin(), list.files.end(),
              [](const CodeFile &a, const CodeFile &b) { return a.path < b.path; });
    return list;
}

Expected<void> checkLimits(const FileList &list)
{
    std::uint64_t bytes = 0;
    const CodeFile *largest = nullptr;
    for (const CodeFile &file : list.files) {
        bytes += file.bytes;
        largest = largest == nullptr || file.bytes > largest->bytes ? &file : largest;
    }
    const bool isMany = !list.isComplete || list.files.size() > mostFiles;
    if (!isMany && bytes <= mostBytes && (largest == nullptr || largest->bytes <= mostBytesOfFile))
        return {};
    const auto inBytes = [](std::uint64_t count) { return wording::bytes(static_cast<double>(count)); };
    const auto inFiles = [](std::size_t count) {
        return wording::grouped(static_cast<std::int64_t>(count)) + " files";
    };
    const std::vector<NamedPart> parts = largestParts(list);
    return makeError(
        ErrorCode::BadInput,
        "the code in " + printable(list.root.string()) + " is too large for a snapshot: "
            + (isMany ? "more than " + inFiles(mostFiles) : inBytes(bytes) + " in " + inFiles(list.files.size()))
            + " (limits: " + inFiles(mostFiles) + ", " + inBytes(mostBytes) + ", " + inBytes(mostBytesOfFile)
            + " per file)" + (parts.empty() ? "" : ", mostly in " + inWords(parts)) + ". "
            + (list.isRepository ? "Add what is not code to .gitignore"
                                 : "Keep the code in its own folder, or run git init there and list what is not "
                                   "code in .gitignore"));
}

bool isLeftOut(const std::string &name)
{
    return name == ".git" || name.ends_with(".pyc") || std::find(leftOut.begin(), leftOut.end(), name) != leftOut.end();
}

std::string ignorePattern(const std::string &path)
{
    std::string pattern = "/";
    for (const char letter : path) {
        if (std::string_view("\\*?[ ").find(letter) != std::string_view::npos)
            pattern += '\\';
        pattern += letter;
    }
    return pattern;
}

}  // namespace sweepscope::snapshot
