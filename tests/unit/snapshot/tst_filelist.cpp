#include "snapshot/filelist.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::snapshot;

namespace {

const std::atomic<bool> never = false;

class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "filelist-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        m_path = std::filesystem::canonical(name);
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    std::filesystem::path operator/(const std::string &name) const { return m_path / name; }
    void write(const std::string &name, const std::string &text = "x") const
    {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name) << text;
    }
    std::vector<std::string> paths(const std::string &excluded = "workspace") const
    {
        const Expected<FileList> list = listCode(m_path, m_path / excluded, never);
        REQUIRE_MESSAGE(list.has_value(), list.error().message);
        CHECK(list->root == m_path);
        std::vector<std::string> paths;
        for (const CodeFile &file : list->files)
            paths.push_back(file.path);
        return paths;
    }

private:
    std::filesystem::path m_path;
};

FileList listOf(std::vector<CodeFile> files, bool isRepository = true)
{
    return {"/code", {}, isRepository, true, std::move(files)};
}

}  // namespace

TEST_CASE("without git, all files are code but caches, environments and results")
{
    const Folder folder;
    for (const std::string name :
         {"train.py", "lib/net.py", "lib/checkpoints/__init__.py", "with\nnewline", "not-\xff-utf8",
          "lib/__pycache__/net.pyc", "old.pyc", ".venv/bin/python", "env/pyvenv.cfg", "env/lib/torch.py",
          "node_modules/a.js", "wandb/run/log", "checkpoints/last.pt", "workspace/sweepscope.db"})
        folder.write(name);
    std::filesystem::create_symlink("/etc/passwd", folder / "outside");
    std::filesystem::create_directory_symlink("..", folder / "lib/loop");
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    std::filesystem::create_directory(folder / "empty");
    CHECK(folder.paths()
          == std::vector<std::string>{"lib/checkpoints/__init__.py", "lib/loop", "lib/net.py", "not-\xff-utf8",
                                      "outside", "train.py", "with\nnewline"});
}

TEST_CASE("a folder that is missing or no folder is an error, an empty one is not")
{
    const Folder folder;
    CHECK(folder.paths().empty());
    CHECK(listCode(folder / "none", "/ws", never).error().code == ErrorCode::NotFound);
    folder.write("file");
    CHECK(listCode(folder / "file", "/ws", never).error().code == ErrorCode::BadInput);
}

TEST_CASE("reading a folder ends soon after the limit, and says so")
{
    const Folder folder;
    for (std::size_t i = 0; i < mostFiles + 10; ++i)
        std::filesystem::create_symlink("x", folder / std::to_string(i));
    const Expected<FileList> list = listCode(folder / "", "/ws", never);
    REQUIRE(list);
    CHECK(!list->isComplete);
    CHECK(list->files.size() <= mostFiles + 1);
    CHECK(checkLimits(*list).error().message.find("more than 20,000 files") != std::string::npos);
}

TEST_CASE("the message names the largest parts and what to do")
{
    CHECK(checkLimits(listOf({})).has_value());
    CHECK(checkLimits(listOf({{"a.py", mostBytesOfFile}, {"b.py", 10}})).has_value());

    const Expected<void> file = checkLimits(listOf({{"a.py", 10}, {"data/big.bin", mostBytesOfFile + 1}}));
    REQUIRE(!file);
    CHECK(file.error().code == ErrorCode::BadInput);
    CHECK(file.error().message
          == "the code in /code is too large for a snapshot: 64 MiB in 2 files (limits: 20,000 files, 256 MiB, 64 MiB "
             "per "
             "file), mostly in data/big.bin (64 MiB). Add what is not code to .gitignore");

    std::vector<CodeFile> many{{"train.py", 100}};
    for (int i = 0; i < 40; ++i) {
        many.push_back({"out/runs/" + std::to_string(i) + ".bin", std::uint64_t{10} << 20});
        many.push_back({"out/pictures/" + std::to_string(i) + ".png", std::uint64_t{1} << 20});
    }
    const Expected<void> folder = checkLimits(listOf(many, false));
    REQUIRE(!folder);
    CHECK(folder.error().message.find("440 MiB in 81 files") != std::string::npos);
    CHECK(
        folder.error().message.find("mostly in out/runs (400 MiB in 40 files). Keep the code in its own folder, or run "
                                    "git init there")
        != std::string::npos);
}

TEST_CASE("a pattern of .gitignore matches just one path")
{
    CHECK(ignorePattern("a/b") == "/a/b");
    CHECK(ignorePattern("#[w]* ?\\") == "/#\\[w]\\*\\ \\?\\\\");
}
