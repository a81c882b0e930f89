#include "snapshot/gitprogram.h"
#include "snapshot/snapshot.h"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::snapshot;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

const std::atomic<bool> never = false;

std::string contentOf(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return file ? text.str() : "(none)";
}

int shell(const std::string &script)
{
    const int status = std::system(script.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A folder with code, and a workspace with the store. The home folder is empty, so that the user's configuration of git
/// does not matter.
class Place {
public:
    Place()
    {
        std::string name = (fs::temp_directory_path() / "snapshots-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        m_root = fs::canonical(name);
        for (const char *folder : {"code", "workspace", "home"})
            fs::create_directory(m_root / folder);
        ::setenv("HOME", (m_root / "home").c_str(), 1);
        ::unsetenv("XDG_CONFIG_HOME");
    }
    ~Place()
    {
        shell("chmod -R u+rwx '" + m_root.string() + "'");
        fs::remove_all(m_root);
    }
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    fs::path operator/(const std::string &name) const { return m_root / name; }
    fs::path store() const { return m_root / "workspace/code.git"; }
    fs::path code(const std::string &name = {}) const
    {
        return name.empty() ? m_root / "code" : m_root / "code" / name;
    }

    void write(const std::string &name, const std::string &text = "x\n") const
    {
        fs::create_directories(code(name).parent_path());
        std::ofstream(code(name), std::ios::binary) << text;
    }
    /// git in the folder with code.
    void git(const std::string &words) const
    {
        REQUIRE(shell("cd '" + code().string()
                      + "' && git -c user.name=t -c user.email=t@t -c init.defaultBranch=main "
                        "-c protocol.file.allow=always "
                      + words + " >/dev/null 2>&1")
                == 0);
    }
    Snapshot take(const fs::path &folder, const std::string &owner = "0001-a") const
    {
        Expected<Snapshot> taken = snapshot::take(store(), folder, owner, never);
        REQUIRE_MESSAGE(taken.has_value(), taken.error().message);
        return std::move(*taken);
    }
    Snapshot take() const { return take(code()); }
    std::vector<std::string> pathsIn(const Snapshot &snapshot) const
    {
        const Expected<std::vector<CodeFile>> files = filesOf(store(), snapshot.tree, never);
        REQUIRE_MESSAGE(files.has_value(), files.error().message);
        std::vector<std::string> paths;
        for (const CodeFile &file : *files)
            paths.push_back(file.path);
        return paths;
    }
    std::string difference(const Snapshot &a, const Snapshot &b) const
    {
        const Expected<std::string> text = snapshot::difference(store(), a.tree, b.tree, 1U << 20, never);
        REQUIRE_MESSAGE(text.has_value(), text.error().message);
        return *text;
    }

private:
    fs::path m_root;
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("equal files have equal trees, and a change is a difference")
{
    const Place place;
    place.write("train.py", "print(1)\n");
    place.write("lib/net.py");
    const Snapshot first = place.take();
    CHECK(first.tree.size() == 40);
    CHECK(first.plan.root == place.code());
    CHECK(first.plan.below.empty());
    CHECK(first.plan.files == 2);
    CHECK(first.plan.bytes == 11);
    CHECK(place.take().tree == first.tree);
    fs::copy(place.code(), place / "copy", fs::copy_options::recursive);
    CHECK(place.take(place / "copy").tree == first.tree);

    place.write("train.py", "print(2)\n");  // of the same size, within the same second
    const Snapshot second = place.take();
    CHECK(second.tree != first.tree);
    const std::string difference = place.difference(first, second);
    CHECK(difference.find("-print(1)\n+print(2)\n") != std::string::npos);
    CHECK(difference.find("net.py") == std::string::npos);
    CHECK(place.difference(second, second).empty());
    place.write("train.py", "print(1)\n");
    CHECK(place.take().tree == first.tree);

    const Expected<std::string> cut = snapshot::difference(place.store(), first.tree, second.tree, 40, never);
    REQUIRE(cut);
    CHECK(cut->ends_with("... cut after 40 B\n"));
}

TEST_CASE("a snapshot is compared with a commit of the user's repository")
{
    const Place place;
    place.git("init -q .");
    place.write("train.py", "print(1)\n");
    place.write("folder/net.py");
    place.git("add .");
    place.git("commit -q -m one");
    const Snapshot same = place.take();
    place.write("train.py", "print(2)\n");
    place.write("new.py");
    const Snapshot changed = place.take(place.code("folder"));
    REQUIRE(shell("git -C '" + place.code().string() + "' rev-parse HEAD > '" + (place / "head").string() + "'") == 0);
    std::string commit;
    std::ifstream(place / "head") >> commit;
    const auto compare = [&](const Snapshot &snapshot, const std::string &with, std::size_t limit) {
        return differenceFromCommit(place.store(), place.code("folder"), with, snapshot.tree, limit, never);
    };
    const auto nothing = compare(same, commit, 1U << 20);
    REQUIRE_MESSAGE(nothing.has_value(), nothing.error().message);
    CHECK(nothing->files.empty());
    CHECK(nothing->text.empty());
    const auto found = compare(changed, commit, 1U << 20);
    REQUIRE(found);
    CHECK(found->files == "A\tnew.py\nM\ttrain.py\n");
    CHECK(found->text.find("-print(1)\n+print(2)\n") != std::string::npos);
    CHECK(compare(changed, commit, 40)->text.ends_with("... cut after 40 B\n"));
    CHECK(compare(changed, std::string(40, 'a'), 40).error().code == ErrorCode::NotFound);
    CHECK(compare(changed, "--output=/tmp/x", 40).error().code == ErrorCode::NotFound);
}

TEST_CASE("in a repository, git says which files are code")
{
    const Place place;
    place.git("init -q .");
    for (const std::string name : {"tracked.py", "deleted.py", "folder/inner.py", "linked/a.py", "kept.pyc"})
        place.write(name);
    place.write(".gitignore", "data/\n*.log\n");
    place.git("add -f .");
    place.git("commit -q -m one");
    for (const std::string name : {"untracked.py", "data/set.bin", "run.log", "__pycache__/a.pyc", "env/pyvenv.cfg",
                                   "env/lib/x.py", "spa ce/[x]*.py", "new\nline", "\xff.py", "-n"})
        place.write(name);
    fs::remove(place.code("deleted.py"));
    // A link takes the place of a folder, and a folder that of a file.
    fs::rename(place.code("linked"), place / "elsewhere");
    fs::create_directory_symlink(place / "elsewhere", place.code("linked"));
    REQUIRE(::mkfifo(place.code("pipe").c_str(), 0600) == 0);
    const Snapshot whole = place.take(place.code("folder"));
    CHECK(whole.plan.root == place.code());
    CHECK(whole.plan.below == "folder");
    CHECK(place.pathsIn(whole)
          == Paths{"-n", ".gitignore", "folder/inner.py", "kept.pyc", "linked", "new\nline", "spa ce/[x]*.py",
                   "tracked.py", "untracked.py", "\xff.py"});

    fs::remove(place.code("tracked.py"));
    place.write("tracked.py/now_a_folder.py");
    fs::remove_all(place.code("folder"));
    place.write("folder");
    fs::remove(place.code("untracked.py"));
    place.write(".gitignore", "data/\n*.log\n/spa ce\n");
    const Paths paths = place.pathsIn(place.take());
    CHECK(paths
          == Paths{"-n", ".gitignore", "folder", "kept.pyc", "linked", "new\nline", "tracked.py/now_a_folder.py",
                   "\xff.py"});
}

TEST_CASE("submodules and repositories inside belong to the code; a merge lists each path once")
{
    const Place place;
    REQUIRE(shell("cd '" + (place / "").string()
                  + "' && git init -q lib && cd lib && echo lib > lib.py && git add . && "
                    "git -c user.name=t -c user.email=t@t commit -q -m lib")
            == 0);
    place.git("init -q .");
    place.write("a.py", "base\n");
    place.git("add .");
    place.git("commit -q -m base");
    place.git("submodule add ../lib sub");
    place.git("submodule add ../lib gone");
    place.git("commit -q -m sub");
    fs::remove_all(place.code("gone"));
    fs::create_directory(place.code("gone"));  // as in a clone without --recurse-submodules
    REQUIRE(shell("cd '" + place.code().string() + "' && git init -q own && echo 1 > own/own.py && mkdir bare && "
                  + "git init -q --bare bare/x.git")
            == 0);
    place.git("checkout -q -b other");
    place.write("a.py", "other\n");
    place.git("commit -q -a -m other");
    place.git("checkout -q main");
    place.write("a.py", "main\n");
    place.git("commit -q -a -m main");
    CHECK(
        shell("cd '" + place.code().string() + "' && git -c user.name=t -c user.email=t@t merge other >/dev/null 2>&1")
        != 0);
    const Paths paths = place.pathsIn(place.take());
    for (const std::string wanted : {"a.py", "sub/lib.py", "own/own.py", ".gitmodules"})
        CHECK_MESSAGE(std::count(paths.begin(), paths.end(), wanted) == 1, wanted);
    CHECK(std::none_of(paths.begin(), paths.end(), [](const std::string &path) { return path.starts_with("gone"); }));
}

TEST_CASE("neither attributes nor configuration nor hooks of the user change or run anything")
{
    const Place place;
    place.git("init -q .");
    const std::string ran = (place / "ran").string();
    std::ofstream(place / "home/.gitconfig")
        << "[core]\n\tautocrlf = input\n\tfsmonitor = \"touch " << ran
        << "\"\n\tattributesFile = " << (place / "home/attributes").string() << "\n[filter \"lfs\"]\n\tclean = \"touch "
        << ran << "; tr a-z A-Z\"\n\trequired = true\n[commit]\n\tgpgsign = true\n";
    std::ofstream(place / "home/attributes") << "* filter=lfs\n";
    for (const std::string hook : {"post-index-change", "pre-commit", "reference-transaction"}) {
        std::ofstream(place.code(".git/hooks/" + hook)) << "#!/bin/sh\ntouch " << ran << "\n";
        fs::permissions(place.code(".git/hooks/" + hook), fs::perms::owner_all);
    }
    place.write(".gitattributes",
                "* text=auto eol=lf ident filter=lfs working-tree-encoding=UTF-16\n*.txt export-ignore export-subst\n");
    place.write("a.txt", "a\r\n$Id$ $Format:%H$\n");
    place.write("run.sh", "#!/bin/sh\n");
    fs::permissions(place.code("run.sh"), fs::perms::owner_all);
    place.write("\xc3\xa9.txt");
    const std::string before = contentOf(place.code(".git/index"));
    ::setenv("GIT_DIR", (place / "nowhere").c_str(), 1);  // as a hook of the user would
    ::setenv("GIT_TRACE", ran.c_str(), 1);
    const Snapshot taken = place.take();
    ::unsetenv("GIT_DIR");
    ::unsetenv("GIT_TRACE");
    CHECK(!fs::exists(ran));
    CHECK(contentOf(place.code(".git/index")) == before);
    CHECK(!fs::exists(place.code(".git/objects/" + taken.tree.substr(0, 2))));

    const Expected<void> written = checkOut(place.store(), taken.tree, place / "out/deep", never);
    REQUIRE_MESSAGE(written.has_value(), written.error().message);
    CHECK(contentOf(place / "out/deep/a.txt") == "a\r\n$Id$ $Format:%H$\n");
    CHECK((fs::status(place / "out/deep/run.sh").permissions() & fs::perms::owner_exec) != fs::perms::none);
    CHECK((fs::status(place / "out/deep/a.txt").permissions() & fs::perms::owner_exec) == fs::perms::none);
    CHECK(place.take(place / "out/deep").tree == taken.tree);
    CHECK(checkOut(place.store(), taken.tree, place / "out/deep", never).error().code == ErrorCode::AlreadyExists);

    const int tar = ::open((place / "code.tar").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(archive(place.store(), taken.tree, tar, never));
    ::close(tar);
    fs::create_directory(place / "unpacked");
    REQUIRE(shell("tar -xf '" + (place / "code.tar").string() + "' -C '" + (place / "unpacked").string() + "'") == 0);
    CHECK(place.take(place / "unpacked").tree == taken.tree);
}

TEST_CASE("what is too large, foreign or missing is an error that says what to do")
{
    const Place place;
    place.git("init -q .");
    place.write("train.py");
    place.write("big.bin");
    fs::resize_file(place.code("big.bin"), mostBytesOfFile + 1);
    const Expected<Plan> large = plan(place.store(), place.code(), never);
    REQUIRE(!large);
    CHECK(large.error().message.find("big.bin (64 MiB)") != std::string::npos);
    CHECK(!fs::exists(place.store()));
    place.write(".gitignore", "big.bin\n");
    CHECK(plan(place.store(), place.code(), never)->files == 2);

    const Expected<Snapshot> none = take(place.store(), place / "none", "0001-a", never);
    CHECK(none.error().code == ErrorCode::NotFound);
    const Snapshot taken = place.take();
    const std::string other(40, 'a');
    CHECK(filesOf(place.store(), other, never).error().code == ErrorCode::NotFound);
    CHECK(filesOf(place / "nowhere", taken.tree, never).error().code == ErrorCode::NotFound);
    CHECK(filesOf(place.store(), "--help", never).error().code == ErrorCode::NotFound);
    CHECK(filesOf(place.store(), "HEAD", never).error().code == ErrorCode::NotFound);

    const std::string path = ::getenv("PATH");
    ::setenv("PATH", (place / "home").c_str(), 1);
    const Expected<Snapshot> withoutGit = take(place.store(), place.code(), "0001-a", never);
    ::setenv("PATH", path.c_str(), 1);
    CHECK(withoutGit.error().code == ErrorCode::Unavailable);
    CHECK(withoutGit.error().message.find("git is not installed") != std::string::npos);

    const std::atomic<bool> now = true;
    CHECK(take(place.store(), place.code(), "0001-a", now).error().code == ErrorCode::Unavailable);

    if (::geteuid() != 0)
        return;
    REQUIRE(shell("chown -R 12345 '" + place.code().string() + "'") == 0);
    const Expected<Plan> foreign = plan(place.store(), place.code(), never);
    REQUIRE(!foreign);
    CHECK(foreign.error().code == ErrorCode::BadInput);
    CHECK(foreign.error().message.find("safe.directory") != std::string::npos);
}

TEST_CASE("files that this user cannot read are left out, as trials cannot read them either")
{
    const Place place;
    place.write("a.py");
    place.write("secret");
    place.write("closed/b.py");
    fs::permissions(place.code("secret"), fs::perms::none);
    fs::permissions(place.code("closed"), fs::perms::none);
    const bool isRoot = ::geteuid() == 0;
    if (isRoot) {  // as another user, in a child process
        fs::permissions(place / "", fs::perms::all);
        fs::permissions(place / "workspace", fs::perms::all);
        const pid_t child = ::fork();
        if (child == 0) {
            if (::setgid(12345) != 0 || ::setuid(12345) != 0)
                ::_exit(3);
            const Expected<Snapshot> taken = take(place.store(), place.code(), "0001-a", never);
            ::_exit(taken && taken->plan.files == 1 ? 0 : 1);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WEXITSTATUS(status) == 0);
        return;
    }
    CHECK(place.pathsIn(place.take()) == Paths{"a.py"});
}

TEST_CASE("empty folders, empty files and no file at all")
{
    const Place place;
    const Snapshot none = place.take();
    CHECK(place.pathsIn(none).empty());
    place.write("empty.py", "");
    fs::create_directory(place.code("folder"));
    const Snapshot one = place.take();
    CHECK(place.pathsIn(one) == Paths{"empty.py"});
    fs::remove(place.code("empty.py"));
    CHECK(place.take().tree == none.tree);
    REQUIRE(checkOut(place.store(), none.tree, place / "out", never));
    CHECK(fs::is_empty(place / "out"));
    place.git("init -q .");
    CHECK(place.take().tree == none.tree);
}

TEST_CASE("the home folder is never the root, and the workspace is never code")
{
    const Place place;
    REQUIRE(shell("cd '" + (place / "home").string()
                  + "' && git init -q . && mkdir -p project/ws && echo 1 > .profile && "
                    "echo 1 > project/a.py && echo 1 > project/ws/sweepscope.db")
            == 0);
    const Expected<Snapshot> taken = take(place / "home/project/ws/code.git", place / "home/project", "0001-a", never);
    REQUIRE(taken);
    CHECK(taken->plan.root == place / "home/project");
    CHECK(taken->plan.files == 1);
    REQUIRE(shell("cd '" + (place / "home/project").string() + "' && git init -q .") == 0);
    const Expected<Snapshot> again = take(place / "home/project/ws/code.git", place / "home/project", "0001-a", never);
    REQUIRE(again);
    CHECK(again->tree == taken->tree);
}

TEST_CASE("a damaged store is repaired, and what another git has left does not block it")
{
    const Place place;
    place.write("a.py");
    place.write("b/c.py");
    const Snapshot taken = place.take();
    const auto isUsable = [&] {
        CHECK(place.take().tree == taken.tree);
        CHECK(place.pathsIn(taken) == Paths{"a.py", "b/c.py"});
    };
    const fs::path index = fs::directory_iterator(place.store() / "indexes")->path();
    std::ofstream(index.string() + ".lock") << "half";
    place.write("new.py");
    place.take();
    fs::remove(place.code("new.py"));
    isUsable();
    std::ofstream(index) << "no index";
    isUsable();
    for (const std::string name : {"HEAD", "config", "info", "indexes", "objects", "refs"}) {
        fs::remove_all(place.store() / name);
        isUsable();
    }
    std::ofstream(place.store() / "config") << "[core\n";
    isUsable();
    fs::remove_all(place.store());
    isUsable();
    fs::remove_all(place.store());
    std::ofstream(place.store()) << "a file";
    const Expected<Snapshot> blocked = take(place.store(), place.code(), "0001-a", never);
    CHECK(blocked.error().message.find("code.git") != std::string::npos);
}

TEST_CASE("callers at the same time get what each of them asked for")
{
    const Place place;
    std::vector<std::thread> threads;
    std::vector<std::string> trees(6);
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const fs::path folder = place / ("code" + std::to_string(i / 2));
        fs::create_directories(folder);
        std::ofstream(folder / "a.py") << i / 2;
        threads.emplace_back([&, i, folder] {
            for (int round = 0; round < 3; ++round)
                trees[i] = take(place.store(), folder, "0001-a", never)
                               .map([](const Snapshot &s) { return s.tree; })
                               .value_or("");
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    CHECK(trees[0] == trees[1]);
    CHECK(trees[2] == trees[3]);
    CHECK(trees[0] != trees[2]);
    CHECK(std::none_of(trees.begin(), trees.end(), [](const std::string &tree) { return tree.empty(); }));
}

TEST_CASE("a process that is killed at any time leaves a store that works")
{
    const Place place;
    for (int i = 0; i < 300; ++i)
        place.write("f" + std::to_string(i), std::string(2000, static_cast<char>('a' + i % 26)) + std::to_string(i));
    const Snapshot wanted = place.take();
    fs::remove_all(place.store());
    for (int round = 0; round < 25; ++round) {
        const pid_t child = ::fork();
        if (child == 0) {
            (void)take(place.store(), place.code(), "0001-a", never);
            ::_exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * round));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        if (round % 5 == 4)
            CHECK(place.take().tree == wanted.tree);
    }
    CHECK(place.take().tree == wanted.tree);
    REQUIRE(checkOut(place.store(), wanted.tree, place / "out", never));
    CHECK(contentOf(place / "out/f7") == contentOf(place.code("f7")));
}

TEST_CASE("snapshots without an owner are removed, and those of others stay")
{
    const Place place;
    place.write("a.py", "one\n");
    const Snapshot first = place.take(place.code(), "0001-a");
    place.write("a.py", "two\n");
    const Snapshot second = place.take(place.code(), "0002-b");
    CHECK(!take(place.store(), place.code(), "../x", never));
    REQUIRE(keepOnly(
        place.store(), [](const std::string &) { return true; }, never));
    CHECK(place.pathsIn(first) == Paths{"a.py"});
    REQUIRE(keepOnly(
        place.store(), [](const std::string &owner) { return owner == "0002-b"; }, never));
    CHECK(filesOf(place.store(), first.tree, never).error().code == ErrorCode::NotFound);
    CHECK(place.pathsIn(second) == Paths{"a.py"});
    place.write("a.py", "one\n");
    CHECK(place.take(place.code(), "0003-c").tree == first.tree);
    CHECK(place.pathsIn(first) == Paths{"a.py"});
    REQUIRE(keepOnly(
        place / "none/code.git", [](const std::string &) { return false; }, never));
}
