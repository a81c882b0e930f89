#include "base/files.h"
#include "media/mediacontent.h"
#include "unit/media/mediafolder.h"

#include <doctest/doctest.h>

#include <string>

using namespace sweepscope;
using namespace sweepscope::media;
using namespace sweepscope::tests;

namespace {

MediaItem itemAt(std::uint64_t offset, std::uint64_t size)
{
    MediaItem item;
    item.kind = MediaKind::Text;
    item.name = "t";
    item.offset = offset;
    item.size = size;
    return item;
}

}  // namespace

TEST_CASE("bytes of an item are read if all of them are there")
{
    const MediaFolder folder;
    const auto file = contentFile(folder.layout(), 0, itemAt(0, 0));
    CHECK(readContent(file, itemAt(0, 1)).error().code == ErrorCode::NotFound);
    folder.write("rank-0.media", "0123456789");
    CHECK(readContent(file, itemAt(2, 3)).value() == "234");
    CHECK(readContent(file, itemAt(10, 0)).value().empty());
    CHECK(readContent(file, itemAt(8, 3)).error().code == ErrorCode::NotFound);
    CHECK_FALSE(readContent(file, itemAt(~std::uint64_t{0}, 2)));
    CHECK_FALSE(readContent(file, itemAt(0, ~std::uint64_t{0})));
    std::filesystem::create_symlink(folder.path / "rank-0.media", folder.path / "rank-1.media");
    CHECK_FALSE(readContent(folder.path / "rank-1.media", itemAt(0, 1)));
    CHECK(saveItem(file, itemAt(2, 3), folder.path / "copy").has_value());
    CHECK(readFile(folder.path / "copy", 100).value() == "234");
}

TEST_CASE("an artifact is copied, but not out of another folder")
{
    const MediaFolder folder;
    std::filesystem::create_directory(folder.path / "artifacts");
    folder.write("artifacts/model.pt", "weights");
    MediaItem item = itemAt(0, 7);
    item.kind = MediaKind::Artifact;
    item.file = "model.pt";
    const auto file = contentFile(folder.layout(), 0, item);
    CHECK(saveItem(file, item, folder.path / "copy").has_value());
    CHECK(readFile(folder.path / "copy", 100).value() == "weights");
    item.size = 8;
    CHECK_FALSE(saveItem(file, item, folder.path / "cut"));
    CHECK_FALSE(std::filesystem::exists(folder.path / "cut"));
    item.size = 7;
    std::filesystem::rename(folder.path / "artifacts", folder.path / "elsewhere");
    std::filesystem::create_directory_symlink(folder.path / "elsewhere", folder.path / "artifacts");
    CHECK_FALSE(saveItem(file, item, folder.path / "stolen"));
}

TEST_CASE("a histogram has counts between edges")
{
    const auto histogram = parseHistogram(R"({"counts":[1,2.5],"edges":[-1,0,1e3],"not_finite":3})");
    REQUIRE(histogram);
    CHECK(histogram->counts == std::vector<double>{1, 2.5});
    CHECK(histogram->edges == std::vector<double>{-1, 0, 1000});
    CHECK(histogram->notFinite == 3);
    CHECK(parseHistogram(R"({"counts":[],"edges":[]})"));
    for (const char *bad :
         {"", "[]", R"({"counts":[1]})", R"({"counts":[1],"edges":[0]})", R"({"counts":[1],"edges":[1,0]})",
          R"({"counts":[1],"edges":[1,1]})", R"({"counts":[-1],"edges":[0,1]})", R"({"counts":[1e999],"edges":[0,1]})",
          R"({"counts":["1"],"edges":[0,1]})", R"({"counts":[],"edges":[0]})", R"({"counts":[null],"edges":[0,1]})"})
        CHECK_FALSE(parseHistogram(bad));
    std::string many = "{\"edges\":[],\"counts\":[0";
    for (int i = 0; i < 10000; ++i)
        many += ",0";
    CHECK_FALSE(parseHistogram(many + "]}"));
}

TEST_CASE("a table has equal rows")
{
    const auto table = parseTable(R"({"columns":["id","what"],"rows":[[1,"a"],[null,true],[0.5,["x"]]]})");
    REQUIRE(table);
    CHECK(table->columns == std::vector<std::string>{"id", "what"});
    REQUIRE(table->rows.size() == 3);
    CHECK(table->rows[0][0].number == 1);
    CHECK(table->rows[0][1].text == "a");
    CHECK(table->rows[1][0].text.empty());
    CHECK(table->rows[1][1].text == "true");
    CHECK(table->rows[2][0].text == "0.5");
    CHECK(table->rows[2][1].text == "[\"x\"]");
    for (const char *bad : {"", "{}", R"({"columns":["a"],"rows":[[1,2]]})", R"({"columns":["a"],"rows":[1]})",
                            R"({"columns":[1],"rows":[]})", R"({"columns":{},"rows":[]})", R"({"columns":["a"]})"})
        CHECK_FALSE(parseTable(bad));
    std::string many = R"({"columns":[],"rows":[[])";
    for (int i = 0; i < 20000; ++i)
        many += ",[]";
    CHECK_FALSE(parseTable(many + "]}"));
}
