#include "media/mediaindex.h"
#include "unit/media/mediafolder.h"

#include <doctest/doctest.h>

#include <string>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::media;
using namespace sweepscope::tests;

namespace {

std::string line(const std::string &fields)
{
    return R"({"time_ns":5,"hash":"h","name":"n","size":3,)" + fields + "}";
}

const std::string textLine = line(R"("kind":"text","step":7,"offset":11)");

}  // namespace

TEST_CASE("a line has all that a reader needs")
{
    const auto item = parseMediaLine(
        R"({"time_ns":5,"step":-7,"kind":"image","name":"val/samples","size":3,"hash":"ab","offset":11,"format":"png","caption":"five"})");
    REQUIRE(item);
    CHECK(item->kind == MediaKind::Image);
    CHECK(item->name == "val/samples");
    CHECK(item->caption == "five");
    CHECK(item->hash == "ab");
    CHECK(item->step == -7);
    CHECK(item->time == 5);
    CHECK(item->size == 3);
    CHECK(item->offset == 11);
}

TEST_CASE("damaged lines are refused")
{
    CHECK(parseMediaLine(textLine));
    for (const std::string &fields : {
             std::string(R"("kind":"text","step":7)"),
             std::string(R"("kind":"text","step":7,"offset":-1)"),
             std::string(R"("kind":"text","step":7.5,"offset":1)"),
             std::string(R"("kind":"text","step":18446744073709551615,"offset":1)"),
             std::string(R"("kind":"text","step":7,"offset":18446744073709551615)"),
             std::string(R"("kind":"text","step":7,"offset":"1")"),
             std::string(R"("kind":"program","step":7,"offset":1)"),
             std::string(R"("kind":"text","step":7,"offset":1,"size":99999999999)"),
             std::string(R"("kind":"text","step":7,"offset":1,"size":-3)"),
             std::string(R"("kind":"text","step":7,"offset":1,"name":"")"),
             std::string(R"("kind":"text","step":7,"offset":1,"name":5)"),
             std::string(R"("kind":"text","step":7,"offset":1,"time_ns":-1)"),
             R"("kind":"text","step":7,"offset":1,"name":")" + std::string(5000, 'n') + "\"",
         }) {
        CAPTURE(fields);
        CHECK_FALSE(parseMediaLine(line(fields)));
    }
    for (const char *other : {"", "{}", "[]", "5", "null", "{\"kind\":", "\xff\xfe", "{\"kind\":\"text\"}"})
        CHECK_FALSE(parseMediaLine(other));
    CHECK_FALSE(parseMediaLine(std::string(100000, '[')));
    CHECK_FALSE(parseMediaLine(textLine + std::string(100000, ' ')));
}

TEST_CASE("names are printable")
{
    const auto item = parseMediaLine(line(R"("kind":"text","step":7,"offset":1,"name":"a\u001b[31m\u202eb")"));
    REQUIRE(item);
    CHECK(item->name.find('\x1b') == std::string::npos);
    CHECK(item->name.find("\u202e") == std::string::npos);
}

TEST_CASE("an artifact is a file of its folder")
{
    const auto artifact = [](const std::string &file) {
        return parseMediaLine(line(R"("kind":"artifact","step":7,"file":")" + file + "\""));
    };
    const auto item = artifact("0123abc-model.pt");
    REQUIRE(item);
    CHECK(contentFile({"/attempt"}, 3, *item) == "/attempt/artifacts/0123abc-model.pt");
    for (const char *file :
         {"", ".", "..", "../secret", "/etc/passwd", "a/b", ".hidden", "a\\u0000b", "a b", "\xc3\xa4"})
        CHECK_FALSE(artifact(file));
    CHECK_FALSE(artifact(std::string(300, 'a')));
    CHECK_FALSE(parseMediaLine(line(R"("kind":"artifact","step":7)")));
    CHECK(artifact("large\",\"size\":1099511627776,\"x\":\"")->size == std::uint64_t{1} << 40U);
}

TEST_CASE("an index is followed while it grows")
{
    const MediaFolder folder;
    MediaIndex index(mediaIndexFile(folder.layout(), 0));
    CHECK_FALSE(index.poll());
    folder.append("rank-0.media.jsonl", textLine + "\n" + textLine.substr(0, 20));
    CHECK(index.poll());
    CHECK(index.items().size() == 1);
    CHECK(index.damagedLines(false) == 0);
    CHECK(index.damagedLines(true) == 1);
    CHECK_FALSE(index.poll());
    folder.append("rank-0.media.jsonl", textLine.substr(20) + "\nnonsense\n\n" + textLine + "\n");
    CHECK(index.poll());
    CHECK(index.items().size() == 3);
    CHECK(index.damagedLines(true) == 1);
}

TEST_CASE("a torn line costs no other")
{
    const MediaFolder folder;
    folder.write("rank-0.media.jsonl", textLine + "\n" + textLine.substr(0, 20) + "\n" + textLine + "\n");
    MediaIndex index(mediaIndexFile(folder.layout(), 0));
    CHECK(index.poll());
    CHECK(index.items().size() == 2);
    CHECK(index.damagedLines(false) == 1);
}

TEST_CASE("an index that was replaced or truncated is read again")
{
    const MediaFolder folder;
    MediaIndex index(mediaIndexFile(folder.layout(), 0));
    folder.write("rank-0.media.jsonl", textLine + "\n" + textLine + "\n");
    CHECK(index.poll());
    folder.write("rank-0.media.jsonl", textLine + "\n");
    CHECK(index.poll());
    CHECK(index.items().size() == 1);
    std::filesystem::remove(folder.path / "rank-0.media.jsonl");
    CHECK(index.poll());
    CHECK(index.items().empty());
    CHECK_FALSE(index.poll());
}

TEST_CASE("endless lines and other kinds of files are no index")
{
    const MediaFolder folder;
    MediaIndex index(mediaIndexFile(folder.layout(), 0));
    folder.write("rank-0.media.jsonl", std::string(3 << 20, 'x') + "\n" + textLine + "\n");
    CHECK(index.poll());
    CHECK(index.items().size() == 1);
    CHECK(index.damagedLines(false) == 1);
    REQUIRE(::mkfifo((folder.path / "rank-1.media.jsonl").c_str(), 0600) == 0);
    MediaIndex pipe(mediaIndexFile(folder.layout(), 1));
    CHECK_FALSE(pipe.poll());
    std::filesystem::create_symlink(folder.path / "rank-0.media.jsonl", folder.path / "rank-2.media.jsonl");
    MediaIndex link(mediaIndexFile(folder.layout(), 2));
    CHECK_FALSE(link.poll());
}
