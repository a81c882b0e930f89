#include "snapshot/snapshot.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "snapshot/gitprogram.h"
#include "wording/placeholders.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <sstream>
#include <string_view>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace sweepscope::snapshot {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

/// For the first snapshot of a large folder on a slow disk.
constexpr auto patience = 10min;

/// Content is stored as it is, and survives a power loss. Packing would be an unexpected minute of work.
constexpr std::string_view configuration = R"([core]
	repositoryformatversion = 0
	bare = true
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	protectHFS = false
	protectNTFS = false
	autocrlf = false
	fsync = all
	fsyncMethod = batch
[gc]
	auto = 0
[maintenance]
	auto = false
[tar]
	umask = 0022
)";
/// Overrides .gitattributes.
constexpr std::string_view attributes =
    "* -text !eol -ident !filter !working-tree-encoding -export-ignore -export-subst\n";

std::string number(std::uint64_t hash)
{
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return digits.data();
}

bool isTree(const std::string &text)
{
    return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// A store that this process has locked, or only reads.
class Repository {
public:
    /// Makes what is missing, and locks it against other writers. Files that a killed git has left are removed.
    static Expected<Repository> openToWrite(const fs::path &folder, const std::atomic<bool> &cancelled);
    /// NotFound if it lacks one of the trees.
    static Expected<Repository> openToRead(const fs::path &folder, const std::vector<std::string> &trees,
                                           const std::atomic<bool> &cancelled);

    /// The path cache of git for the files of a folder.
    fs::path indexOf(const fs::path &root) const;
    fs::path indexes() const { return m_folder / "indexes"; }
    fs::path owners() const { return m_folder / "refs" / "sweeps"; }
    const fs::path &folder() const { return m_folder; }

    Expected<GitOutput> run(GitCommand command, const std::atomic<bool> &cancelled) const;

private:
    explicit Repository(fs::path folder) : m_folder(std::move(folder)) {}
    Expected<void> make() const;
    Expected<void> lock(const std::atomic<bool> &cancelled);

    fs::path m_folder;
    FileDescriptor m_lock;
};

Expected<void> Repository::make() const
{
    std::error_code error;
    for (const fs::path &part :
         {m_folder, m_folder / "objects", m_folder / "refs", m_folder / "info", owners(), indexes()}) {
        fs::create_directory(part, error);
        if (error)
            return makeErrnoError("cannot create the folder " + part.string(), error.value());
    }
    const std::map<fs::path, std::string_view> files{{m_folder / "config", configuration},
                                                     {m_folder / "info" / "attributes", attributes},
                                                     {m_folder / "HEAD", "ref: refs/heads/none\n"}};
    for (const auto &[file, content] : files) {
        if (readFile(file, content.size()).value_or(std::string()) == content)
            continue;
        if (const Expected<void> written = writeFileAtomically(file, content); !written)
            return written;
    }
    return {};
}

Expected<void> Repository::lock(const std::atomic<bool> &cancelled)
{
    auto file = openRegularFile(m_folder / "lock", O_RDWR | O_CREAT);
    if (!file)
        return tl::unexpected<Error>(file.error());
    const auto until = std::chrono::steady_clock::now() + patience;
    while (::flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return makeErrnoError("cannot lock " + m_folder.string(), errno);
        if (cancelled)
            return makeError(ErrorCode::Unavailable, "cancelled");
        if (std::chrono::steady_clock::now() >= until)
            return makeError(ErrorCode::Timeout, "another process has used " + m_folder.string() + " for too long");
        std::this_thread::sleep_for(10ms);
    }
    m_lock = std::move(*file);
    return {};
}

Expected<Repository> Repository::openToWrite(const fs::path &folder, const std::atomic<bool> &cancelled)
{
    std::error_code error;
    Repository repository(fs::absolute(folder, error));
    fs::create_directory(repository.m_folder, error);
    if (error)
        return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    const Expected<void> ready = repository.lock(cancelled).and_then([&] { return repository.make(); });
    if (!ready)
        return tl::unexpected<Error>(ready.error());
    for (fs::directory_iterator entry(repository.indexes(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".lock")
            fs::remove(entry->path(), error);
    }
    return repository;
}

Expected<Repository> Repository::openToRead(const fs::path &folder, const std::vector<std::string> &trees,
                                            const std::atomic<bool> &cancelled)
{
    std::error_code error;
    Repository repository(fs::absolute(folder, error));
    for (const std::string &tree : trees) {
        if (isTree(tree) && fs::exists(repository.m_folder / "HEAD", error)) {
            const Expected<GitOutput> found =
                repository.run({{"cat-file", "-e", tree + "^{tree}"}, repository.m_folder}, cancelled);
            if (!found)
                return tl::unexpected<Error>(found.error());
            if (found->exitCode == 0)
                continue;
        }
        return makeError(ErrorCode::NotFound, "there is no snapshot " + tree + " in " + folder.string());
    }
    return repository;
}

/// FNV-1a. Two folders with the same number would only be slower.
fs::path Repository::indexOf(const fs::path &root) const
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : root.string())
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return indexes() / number(hash);
}

Expected<GitOutput> Repository::run(GitCommand command, const std::atomic<bool> &cancelled) const
{
    const std::string folder = m_folder.string();
    command.environment.insert({{"GIT_DIR", folder},
                                {"GIT_CONFIG_NOSYSTEM", "1"},
                                {"GIT_CONFIG_GLOBAL", "/dev/null"},
                                {"GIT_ATTR_NOSYSTEM", "1"},
                                {"GIT_NO_REPLACE_OBJECTS", "1"},
                                {"HOME", folder},  // of older versions, which do not know GIT_CONFIG_GLOBAL
                                {"XDG_CONFIG_HOME", folder}});
    command.inherited = m_lock.get();
    Expected<GitOutput> output = runGit(command, cancelled);
    if (output && output->exitCode != 0 && output->complaint.empty())
        output->complaint = "exit code " + std::to_string(output->exitCode);
    return output;
}

Error failure(const Repository &repository, const std::string &what, const GitOutput &output)
{
    return {ErrorCode::Io, "cannot " + what + " in " + repository.folder().string() + ": " + output.complaint};
}

Plan planOf(const FileList &list)
{
    Plan plan{list.root, list.below, list.files.size(), 0};
    for (const CodeFile &file : list.files)
        plan.bytes += file.bytes;
    return plan;
}

Expected<FileList> listWithinLimits(const fs::path &store, const fs::path &folder, const std::atomic<bool> &cancelled)
{
    std::error_code error;
    return listCode(folder, fs::absolute(store, error).parent_path(), cancelled)
        .and_then([](FileList &&list) -> Expected<FileList> {
            if (const Expected<void> small = checkLimits(list); !small)
                return tl::unexpected<Error>(small.error());
            return std::move(list);
        });
}

Expected<void> checkSpace(const Repository &repository, const std::atomic<bool> &cancelled)
{
    const Expected<GitOutput> counted = repository.run({{"count-objects", "-v"}, repository.folder()}, cancelled);
    if (!counted)
        return tl::unexpected<Error>(counted.error());
    std::uint64_t kibibytes = 0;
    std::istringstream lines(counted->text);
    for (std::string name, value; lines >> name >> value;) {
        std::uint64_t size = 0;
        if (name == "size:" || name == "size-pack:")
            std::from_chars(value.data(), value.data() + value.size(), size);
        kibibytes += size;
    }
    if (kibibytes * 1024 < mostStored)
        return {};
    return makeError(ErrorCode::NoSpace,
                     "the snapshots in " + repository.folder().string() + " take "
                         + wording::bytes(static_cast<double>(kibibytes) * 1024)
                         + "; delete sweeps, and add files that trials write next to their code to .gitignore");
}

/// Writes the files and folders to the store. Io if git fails, for example because a file changes.
Expected<std::string> writeTree(const Repository &repository, const FileList &list, const std::atomic<bool> &cancelled)
{
    const std::map<std::string, std::string> environment{{"GIT_WORK_TREE", list.root.string()},
                                                         {"GIT_INDEX_FILE", repository.indexOf(list.root).string()}};
    const auto run = [&](std::vector<std::string> arguments, std::string input) -> Expected<std::string> {
        GitCommand command{std::move(arguments), list.root, environment, std::move(input)};
        command.limit = patience;
        Expected<GitOutput> output = repository.run(std::move(command), cancelled);
        if (output && output->exitCode != 0)
            return tl::unexpected<Error>(failure(repository, "take a snapshot of " + list.root.string(), *output));
        if (!output)
            return tl::unexpected<Error>(output.error());
        return std::move(output->text);
    };
    const Expected<std::string> before = run({"ls-files", "-z"}, {});
    if (!before)
        return before;
    std::string wanted;
    for (const CodeFile &file : list.files)
        wanted += file.path + '\0';
    std::string gone;
    for (const std::string &path : namesIn(*before)) {
        const auto place =
            std::lower_bound(list.files.begin(), list.files.end(), path,
                             [](const CodeFile &file, const std::string &other) { return file.path < other; });
        if (place == list.files.end() || place->path != path)
            gone += path + '\0';
    }
    if (!gone.empty()) {
        if (const auto removed = run({"update-index", "-z", "--force-remove", "--stdin"}, gone); !removed)
            return removed;
    }
    if (const auto added = run({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, wanted); !added)
        return added;
    return run({"write-tree"}, {}).map([](std::string &&tree) { return tree.substr(0, tree.find('\n')); });
}

/// Returns what `git diff` prints with these arguments.
Expected<std::string> diffText(const Repository &repository, std::vector<std::string> arguments, std::size_t limit,
                               const std::map<std::string, std::string> &environment,
                               const std::atomic<bool> &cancelled)
{
    const std::string what = "compare the snapshots " + arguments[arguments.size() - 2] + " and " + arguments.back();
    arguments.insert(arguments.begin(), {"diff", "--no-ext-diff", "--no-textconv", "--no-color", "-M"});
    GitCommand command{std::move(arguments), repository.folder(), environment};
    command.mostOutput = limit;
    Expected<GitOutput> output = repository.run(std::move(command), cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode != 0)
        return tl::unexpected<Error>(failure(repository, what, *output));
    if (output->isCut) {
        output->text.resize(output->text.rfind('\n') + 1);
        output->text += "... cut after " + wording::bytes(static_cast<double>(limit)) + "\n";
    }
    return std::move(output->text);
}

/// What a reference is for git: a file with the id, which no `git gc` removes.
Expected<void> keepFor(const Repository &repository, const std::string &owner, const std::string &tree)
{
    const fs::path folder = repository.owners() / owner;
    std::error_code error;
    if (fs::exists(folder / tree, error))
        return {};
    fs::create_directory(folder, error);
    if (error)
        return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    return writeFileAtomically(folder / tree, tree + "\n");
}

bool isOwner(const std::string &name)
{
    return !name.empty()
           && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
                  == std::string::npos;
}

}  // namespace

Expected<Plan> plan(const fs::path &store, const fs::path &folder, const std::atomic<bool> &cancelled)
{
    return listWithinLimits(store, folder, cancelled).map(planOf);
}

Expected<Snapshot> take(const fs::path &store, const fs::path &folder, const std::string &owner,
                        const std::atomic<bool> &cancelled)
{
    if (!isOwner(owner))
        return makeError(ErrorCode::BadInput, "'" + owner + "' cannot own a snapshot");
    Expected<std::string> tree;
    for (int attempt = 1;; ++attempt) {
        const Expected<FileList> list = listWithinLimits(store, folder, cancelled);
        if (!list)
            return tl::unexpected<Error>(list.error());
        const Expected<Repository> repository = Repository::openToWrite(store, cancelled);
        if (!repository)
            return tl::unexpected<Error>(repository.error());
        if (const Expected<void> space = checkSpace(*repository, cancelled); !space)
            return tl::unexpected<Error>(space.error());
        tree = writeTree(*repository, *list, cancelled).and_then([&](std::string &&written) -> Expected<std::string> {
            if (const Expected<void> kept = keepFor(*repository, owner, written); !kept)
                return tl::unexpected<Error>(kept.error());
            return std::move(written);
        });
        if (tree)
            return Snapshot{std::move(*tree), planOf(*list)};
        // The cache may be damaged, or a file has changed meanwhile.
        std::error_code error;
        fs::remove(repository->indexOf(list->root), error);
        if (tree.error().code != ErrorCode::Io || attempt == 2)
            return tl::unexpected<Error>(tree.error());
    }
}

Expected<std::vector<CodeFile>> filesOf(const fs::path &store, const std::string &tree,
                                        const std::atomic<bool> &cancelled)
{
    const Expected<Repository> repository = Repository::openToRead(store, {tree}, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    const Expected<GitOutput> output =
        repository->run({{"ls-tree", "-r", "-z", "-l", "--full-tree", tree}, repository->folder()}, cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode != 0)
        return tl::unexpected<Error>(failure(*repository, "list the snapshot " + tree, *output));
    std::vector<CodeFile> files;
    for (const std::string &line : namesIn(output->text)) {
        // "100644 blob ID    SIZE<tab>PATH"
        const std::size_t tab = std::min(line.find('\t'), line.size());
        const std::size_t size = line.rfind(' ', tab) + 1;
        CodeFile file{tab < line.size() ? line.substr(tab + 1) : line};
        std::from_chars(line.data() + size, line.data() + tab, file.bytes);
        files.push_back(std::move(file));
    }
    return files;
}

Expected<void> archive(const fs::path &store, const std::string &tree, int file, const std::atomic<bool> &cancelled)
{
    const Expected<Repository> repository = Repository::openToRead(store, {tree}, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    GitCommand command{{"archive", "--format=tar", tree}, repository->folder()};
    command.output = file;
    command.limit = 30min;
    const Expected<GitOutput> output = repository->run(std::move(command), cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode != 0)
        return tl::unexpected<Error>(failure(*repository, "archive the snapshot " + tree, *output));
    return {};
}

Expected<std::string> difference(const fs::path &store, const std::string &before, const std::string &after,
                                 std::size_t limit, const std::atomic<bool> &cancelled)
{
    const Expected<Repository> repository = Repository::openToRead(store, {before, after}, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    return diffText(*repository, {before, after}, limit, {}, cancelled);
}

Expected<CommitDifference> differenceFromCommit(const fs::path &store, const fs::path &folder,
                                                const std::string &commit, const std::string &tree, std::size_t limit,
                                                const std::atomic<bool> &cancelled)
{
    const Expected<Repository> repository = Repository::openToRead(store, {tree}, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    const auto missing = [&] {
        return makeError(ErrorCode::NotFound, "the repository of " + folder.string() + " has no commit " + commit);
    };
    if (!isTree(commit))
        return missing();
    const Expected<GitOutput> found = runGit({{"rev-parse", "--git-path", "objects"}, folder}, cancelled);
    if (!found)
        return tl::unexpected<Error>(found.error());
    const fs::path objects = folder / found->text.substr(0, found->text.find('\n'));
    // The store's own objects and the user's, without copying.
    const std::map<std::string, std::string> both{{"GIT_ALTERNATE_OBJECT_DIRECTORIES", objects.string()}};
    const Expected<GitOutput> exists =
        repository->run({{"cat-file", "-e", commit + "^{commit}"}, repository->folder(), both}, cancelled);
    if (!exists)
        return tl::unexpected<Error>(exists.error());
    if (found->exitCode != 0 || exists->exitCode != 0)
        return missing();
    Expected<std::string> files = diffText(*repository, {"--name-status", commit, tree}, limit, both, cancelled);
    Expected<std::string> text = diffText(*repository, {commit, tree}, limit, both, cancelled);
    if (!files || !text)
        return tl::unexpected<Error>(!files ? files.error() : text.error());
    return CommitDifference{std::move(*files), std::move(*text)};
}

Expected<void> checkOut(const fs::path &store, const std::string &tree, const fs::path &folder,
                        const std::atomic<bool> &cancelled)
{
    const Expected<Repository> repository = Repository::openToRead(store, {tree}, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    std::error_code error;
    const fs::path target = fs::absolute(folder, error);
    fs::create_directories(target, error);
    if (error)
        return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    if (!fs::is_empty(target, error))
        return makeError(ErrorCode::AlreadyExists, "the folder " + folder.string() + " is not empty");
    const fs::path index = target / (".git-index-" + std::to_string(::getpid()));
    const std::map<std::string, std::string> environment{{"GIT_WORK_TREE", target.string()},
                                                         {"GIT_INDEX_FILE", index.string()}};
    Expected<void> done;
    for (const std::vector<std::string> &arguments : {std::vector<std::string>{"read-tree", tree},
                                                      std::vector<std::string>{"checkout-index", "--all", "--quiet"}}) {
        const Expected<GitOutput> output = repository->run({arguments, target, environment}, cancelled);
        if (!output)
            done = tl::unexpected<Error>(output.error());
        else if (output->exitCode != 0)
            done = makeError(ErrorCode::Io,
                             "cannot write the snapshot " + tree + " to " + folder.string() + ": " + output->complaint);
        if (!done)
            break;
    }
    fs::remove(index, error);
    return done;
}

Expected<void> keepOnly(const fs::path &store, const std::function<bool(const std::string &owner)> &isKept,
                        const std::atomic<bool> &cancelled)
{
    std::error_code error;
    if (!fs::exists(store, error))
        return {};
    const Expected<Repository> repository = Repository::openToWrite(store, cancelled);
    if (!repository)
        return tl::unexpected<Error>(repository.error());
    std::vector<fs::path> unowned;
    for (fs::directory_iterator owner(repository->owners(), error), end; !error && owner != end;
         owner.increment(error)) {
        if (!isKept(owner->path().filename().string()))
            unowned.push_back(owner->path());
    }
    if (error)
        return makeErrnoError("cannot read the folder " + repository->owners().string(), error.value());
    if (unowned.empty())
        return {};
    // The indexes first: git would not write again what they have.
    fs::remove_all(repository->indexes(), error);
    for (const fs::path &owner : unowned)
        fs::remove_all(owner, error);
    const Expected<GitOutput> output = repository->run({{"prune", "--expire=now"}, repository->folder()}, cancelled);
    if (!output)
        return tl::unexpected<Error>(output.error());
    if (output->exitCode != 0)
        return tl::unexpected<Error>(failure(*repository, "remove unused snapshots", *output));
    return {};
}

}  // namespace sweepscope::snapshot
