#include "base/files.h"
#include "media/mediacontent.h"
#include "unit/media/mediafolder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace sweepscope;
using namespace sweepscope::media;
using namespace sweepscope::tests;

TEST_CASE("what the Python package writes is read")
{
    const MediaFolder folder;
    folder.write("write.py", R"(
import sys
from sweepscope import media
writer = media.MediaWriter(sys.argv[1], 2, print)
writer.image("i", [[0, 255]], 1, "größe")
writer.histogram("h", [1, 2, 3, float("nan")], 2)
writer.text("t", "once upon\na time", 3)
writer.table("r", ["a", "b"], [[1, "x"]], 4)
writer.confusion_matrix("c", [0, 1], [1, 1], ["cat", "dog"], 5)
writer.artifact(sys.argv[1] + "/write.py", None, 6)
)");
    const std::string command = "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" SWEEPSCOPE_SOURCE_DIR
                                "/packaging/python' '" SWEEPSCOPE_PYTHON "' '"
                                + (folder.path / "write.py").string() + "' '" + folder.path.string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    MediaIndex index(mediaIndexFile(folder.layout(), 2));
    CHECK(index.poll());
    CHECK(index.damagedLines(true) == 0);
    REQUIRE(index.items().size() == 6);
    const auto content = [&](std::size_t i) {
        return readContent(contentFile(folder.layout(), 2, index.items()[i]), index.items()[i]).value();
    };
    CHECK(content(0).starts_with("\x89PNG"));
    CHECK(index.items()[0].caption == "größe");
    const auto histogram = parseHistogram(content(1));
    REQUIRE(histogram);
    CHECK(histogram->counts.size() == 64);
    CHECK(histogram->counts.front() == 1);
    CHECK(histogram->edges.back() == 3);
    CHECK(histogram->notFinite == 1);
    CHECK(content(2) == "once upon\na time");
    const auto table = parseTable(content(3));
    REQUIRE(table);
    CHECK(table->rows[0][1].text == "x");
    CHECK(index.items()[4].kind == MediaKind::ConfusionMatrix);
    const auto matrix = parseTable(content(4));
    REQUIRE(matrix);
    CHECK(matrix->columns == std::vector<std::string>{"actual", "cat", "dog"});
    CHECK(matrix->rows[0][2].number == 1);
    CHECK(saveItem(contentFile(folder.layout(), 2, index.items()[5]), index.items()[5], folder.path / "copy"));
    CHECK(readFile(folder.path / "copy", 10000).value() == readFile(folder.path / "write.py", 10000).value());
}
