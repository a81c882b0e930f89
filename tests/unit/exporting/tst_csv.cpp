#include "exporting/csv.h"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

using sweepscope::exporting::CsvWriter;

namespace {

template <typename... Fields>
std::string row(const Fields &...fields)
{
    std::ostringstream out;
    CsvWriter csv(out);
    (csv.field(fields), ...);
    csv.endRow();
    return out.str();
}

}  // namespace

TEST_CASE("plain fields are separated by commas and rows end with CR LF")
{
    CHECK(row("a", std::int64_t{-5}, std::uint64_t{7}) == "a,-5,7\r\n");
}

TEST_CASE("fields with comma, quote or line end are quoted and quotes doubled")
{
    CHECK(row("a,b") == "\"a,b\"\r\n");
    CHECK(row("say \"no\"") == "\"say \"\"no\"\"\"\r\n");
    CHECK(row("two\nlines", "cr\rhere") == "\"two\nlines\",\"cr\rhere\"\r\n");
    CHECK(row("semi;colon and space") == "semi;colon and space\r\n");
}

TEST_CASE("bytes that are not UTF-8 and terminal control sequences are replaced")
{
    using namespace std::string_literals;
    CHECK(row("caf\xC3\xA9 \xF0\x9F\x9A\x80") == "caf\xC3\xA9 \xF0\x9F\x9A\x80\r\n");
    CHECK(row("a\xFF"
              "b,\xC3")
          == "\"a\xEF\xBF\xBD"
             "b,\xEF\xBF\xBD\"\r\n");
    CHECK(row("nul\0red\x1B[31m"s) == "nul\xEF\xBF\xBDred\xEF\xBF\xBD[31m\r\n");
    CHECK(row("a\tb") == "a\tb\r\n");
}

TEST_CASE("floats are the shortest text that reads back, and non-finite values have names")
{
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(row(0.1, 1e-300, 5e-324, 1.0, -0.0) == "0.1,1e-300,5e-324,1,-0\r\n");
    CHECK(row(1.0 / 3.0, std::numeric_limits<double>::max()) == "0.3333333333333333,1.7976931348623157e+308\r\n");
    CHECK(row(infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN())
          == "inf,-inf,nan,nan\r\n");
}

TEST_CASE("the largest integers are written exactly")
{
    CHECK(row(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max())
          == "-9223372036854775808,18446744073709551615\r\n");
}

TEST_CASE("empty fields are kept")
{
    std::ostringstream out;
    CsvWriter csv(out);
    csv.emptyField();
    csv.field("x");
    csv.emptyField();
    csv.endRow();
    csv.field("y");
    csv.endRow();
    CHECK(out.str() == ",x,\r\ny\r\n");
}
