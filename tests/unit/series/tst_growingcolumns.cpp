#include "seriestesting.h"

#include "series/growingcolumns.h"

using namespace seriestesting;

namespace {

std::vector<Column> asked(const Series &series, const ColumnQuestion &q)
{
    return series.columns(q.axis, q.from, q.to, q.columns, q.edges);
}

}  // namespace

TEST_CASE("a growing curve has the same columns if only the newest ones are computed")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        Series series("x", "");
        GrowingColumns growing;
        std::int64_t step = static_cast<std::int64_t>(random() % 1000);
        std::int64_t time = 1'700'000'000'000'000'000;
        const int most = seed % 2 == 0 ? 30 : 1000;
        ColumnQuestion question;
        for (int look = 0; look < 60; ++look) {
            const auto news = random() % static_cast<unsigned>(most);
            for (std::uint64_t i = 0; i < news; ++i) {
                const auto kind = random() % 50;
                series.append({step, time,
                               kind == 0   ? std::nan("")
                               : kind == 1 ? infinity
                                           : std::sin(static_cast<double>(random() % 1000))});
                step += static_cast<std::int64_t>(random() % 3);
                time += static_cast<std::int64_t>(random() % 2'000'000'000);
            }
            if (seed % 5 == 0 && random() % 20 == 0)
                (random() % 2 == 0 ? step : time) -= 5'000;
            if (series.empty())
                continue;
            if (look % 20 == 0) {
                const Question range(series, random);
                // Half of these ranges extend further, so that the curve grows into them.
                question = {range.axis, range.from, range.to + (look % 40 == 0 ? 3 * (range.to - range.from) : 0),
                            range.columns, random() % 2 == 0 ? Edges::Cut : Edges::WithNeighbours};
            }
            CAPTURE(look);
            REQUIRE(sameColumns(growing.of(series, question), asked(series, question)));
        }
    }
}

TEST_CASE("columns are not reused from another curve, or from one that was truncated since")
{
    const ColumnQuestion question{XAxis::Step, 0, 1000, 100, Edges::Cut};
    GrowingColumns growing;
    Series first("x", "");
    Series second("x", "");
    for (int i = 0; i < 600; ++i) {
        first.append({i, i, 1});
        second.append({i, i, 2});
    }
    CHECK(growing.of(first, question).front().max == 1);
    CHECK(growing.of(second, question).front().max == 2);
    first.cut(0);
    CHECK(growing.of(first, question).empty());
    for (int i = 0; i < 700; ++i)
        first.append({i, i, 3});
    CHECK(sameColumns(growing.of(first, question), asked(first, question)));
    first.cut(2);
    for (int i = 256; i < 800; ++i)
        first.append({i, i, 4});
    CHECK(sameColumns(growing.of(first, question), asked(first, question)));
    second.setOrigin(5);
    CHECK(sameColumns(growing.of(second, question), asked(second, question)));
}

TEST_CASE("a view before the curve's end is not computed again")
{
    Series series("x", "");
    const auto grow = [&series](int until) {
        for (int i = static_cast<int>(series.size()); i < until; ++i)
            series.append({i, i, static_cast<double>(i)});
    };
    grow(1000);
    GrowingColumns growing;
    const ColumnQuestion question{XAxis::Step, 100, 200, 10, Edges::WithNeighbours};
    const Column *before = growing.of(series, question).data();
    grow(5000);
    CHECK(growing.of(series, question).data() == before);
    CHECK(sameColumns(growing.of(series, question), asked(series, question)));
}

TEST_CASE("a view that moves by whole columns has the right columns while the curve grows")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        Series series("x", "");
        GrowingColumns growing;
        std::int64_t step = 0;
        // Widths that doubles represent exactly, so that all results are rounded alike.
        const double width = std::ldexp(1, static_cast<int>(seed % 8) - 2);
        ColumnQuestion question{XAxis::Step, 0, 64 * width, 64, seed % 2 == 0 ? Edges::Cut : Edges::WithNeighbours};
        for (int look = 0; look < 60; ++look) {
            const auto news = look == 0 ? 3000 : random() % 50;
            for (std::uint64_t i = 0; i < news; ++i) {
                series.append({step, step, std::sin(static_cast<double>(random() % 1000))});
                step += static_cast<std::int64_t>(random() % (seed % 3 == 0 ? 20 : 3));
            }
            const double shift = width * (static_cast<double>(random() % 60) - 27);
            question.from += shift;
            question.to += shift;
            CAPTURE(look);
            REQUIRE(sameColumns(growing.of(series, question), asked(series, question)));
        }
    }
}

TEST_CASE("a moving view has each sample in one column, however positions are rounded")
{
    Series series("x", "");
    for (int i = 0; i < 100'000; ++i)
        series.append({i, 1'700'000'000'000'000'000 + i * 100'000'000LL, static_cast<double>(i)});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const int columns = 700 + static_cast<int>(random() % 900);
        const double width = 0.1 * static_cast<double>(1 + random() % 30) / static_cast<double>(1 + random() % 3);
        double from = 1'700'000'000 + 3000;
        GrowingColumns growing;
        for (int move = 0; move < 200; ++move) {
            from += width * (static_cast<double>(random() % 100) - 48);
            const ColumnQuestion question{XAxis::WallTime, from, from + width * columns, columns, Edges::Cut};
            const std::vector<Column> &all = growing.of(series, question);
            const std::vector<Column> fresh = asked(series, question);
            double next = fresh.front().first;
            bool isWhole = true;
            for (const Column &column : all) {
                isWhole =
                    isWhole && column.first == next && column.last == next + static_cast<double>(column.count) - 1;
                next = column.last + 1;
            }
            REQUIRE(isWhole);
            REQUIRE(next == fresh.back().last + 1);
        }
    }
}

TEST_CASE("a view that moves by a fraction of a column has new columns")
{
    Series series("x", "");
    for (int i = 0; i < 10'000; ++i)
        series.append({i, i, static_cast<double>(i)});
    GrowingColumns growing;
    ColumnQuestion question{XAxis::Step, 1000, 2000, 100, Edges::WithNeighbours};
    growing.of(series, question);
    question.from += 0.5;
    question.to += 0.5;
    CHECK(sameColumns(growing.of(series, question), asked(series, question)));
}
