#include "testprogram.h"

#include "ui/media/mediagrid.h"
#include "ui/media/mediamodel.h"
#include "ui/media/mediawords.h"
#include "unit/media/mediafolder.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using media::MediaKind;

namespace {

media::MediaItem itemOf(const std::string &name, std::int64_t step, MediaKind kind = MediaKind::Image)
{
    media::MediaItem item;
    item.kind = kind;
    item.name = name;
    item.step = step;
    return item;
}

void addRank(MediaListing &listing, int trial, std::vector<media::MediaItem> items, int rank = 0, int attempt = 1)
{
    listing.ranks.push_back(
        std::make_shared<const RankMedia>(RankMedia{trial, attempt, rank, "/attempt", std::move(items)}));
}

const MediaName samples{MediaKind::Image, "samples"};

}  // namespace

/// Which items are shown where.
class MediaGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreOrderedByKind()
    {
        MediaListing listing;
        QVERIFY(mediaNames(listing).empty());
        addRank(listing, 1, {itemOf("b", 1), itemOf("weights", 1, MediaKind::Histogram), itemOf("b", 2)});
        addRank(listing, 2, {itemOf("a", 1), itemOf("b", 1, MediaKind::Text)});
        const std::vector<MediaName> wanted{{MediaKind::Image, "a"},
                                            {MediaKind::Image, "b"},
                                            {MediaKind::Histogram, "weights"},
                                            {MediaKind::Text, "b"}};
        QVERIFY(mediaNames(listing) == wanted);
        QCOMPARE(mediaNameText(wanted[3]), u"b (texts)"_s);
    }

    void trialsAreRowsAndStepsAreColumns()
    {
        MediaListing listing;
        addRank(listing, 2, {itemOf("samples", 30), itemOf("samples", 10)});
        addRank(listing, 1, {itemOf("samples", 10), itemOf("other", 20)});
        const MediaGrid grid = mediaGrid(listing, samples, {});
        QVERIFY((grid.rows == std::vector<MediaGrid::Row>{{1, 0, false}, {2, 0, false}}));
        QVERIFY((grid.steps == std::vector<std::int64_t>{10, 30}));
        QVERIFY(grid.at(0, 0));
        QVERIFY(!grid.at(0, 1));
        QCOMPARE(grid.at(1, 1).item->step, std::int64_t(30));
        QVERIFY(!grid.isThinned);
    }

    void onlySomeTrials()
    {
        MediaListing listing;
        for (int trial = 1; trial <= 3; ++trial)
            addRank(listing, trial, {itemOf("samples", trial)});
        const MediaGrid grid = mediaGrid(listing, samples, {3, 7, 1});
        QCOMPARE(grid.rows.size(), std::size_t(2));
        QVERIFY((grid.steps == std::vector<std::int64_t>{1, 3}));
        QVERIFY(mediaGrid(listing, samples, {9}).rows.empty());
    }

    void ranksAreRowsIfOthersThanTheFirstRecord()
    {
        MediaListing listing;
        addRank(listing, 1, {itemOf("samples", 1)}, 0);
        addRank(listing, 1, {itemOf("samples", 1)}, 2);
        addRank(listing, 2, {itemOf("samples", 1)}, 0);
        const MediaGrid grid = mediaGrid(listing, samples, {});
        QVERIFY((grid.rows == std::vector<MediaGrid::Row>{{1, 0, true}, {1, 2, true}, {2, 0, false}}));
        QCOMPARE(mediaRowText(grid.rows[1]), u"Trial 1, rank 2"_s);
        QCOMPARE(mediaRowText(grid.rows[2]), u"Trial 2"_s);
    }

    void laterAttemptAndLastItemCount()
    {
        MediaListing listing;
        addRank(listing, 1, {itemOf("samples", 1)}, 0, 2);
        addRank(listing, 1, {itemOf("samples", 1), itemOf("samples", 1)}, 0, 1);
        QCOMPARE(mediaGrid(listing, samples, {}).at(0, 0).source->attempt, 2);
        listing.ranks.erase(listing.ranks.begin());
        const MediaGrid grid = mediaGrid(listing, samples, {});
        QCOMPARE(grid.at(0, 0).item, &listing.ranks[0]->items[1]);
    }

    void manyStepsAreThinned()
    {
        MediaListing listing;
        std::vector<media::MediaItem> items;
        for (int step = 0; step < 5000; ++step)
            items.push_back(itemOf("samples", step));
        addRank(listing, 1, std::move(items));
        const MediaGrid grid = mediaGrid(listing, samples, {});
        QCOMPARE(grid.steps.size(), mostSteps);
        QCOMPARE(grid.steps.front(), std::int64_t(0));
        QCOMPARE(grid.steps.back(), std::int64_t(4999));
        QVERIFY(grid.isThinned);
        QVERIFY((evenlyChosen(3, 5) == std::vector<int>{0, 1, 2}));
        QVERIFY((evenlyChosen(9, 3) == std::vector<int>{0, 4, 8}));
    }

    void newStepsKeepTheModel()
    {
        MediaModel model;
        const QAbstractItemModelTester tester(&model);
        MediaListing listing;
        addRank(listing, 1, {itemOf("samples", 1)});
        model.setGrid(mediaGrid(listing, samples, {}));
        const QPersistentModelIndex kept = model.index(0, 0);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        listing.ranks.clear();
        addRank(listing, 1, {itemOf("samples", 1), itemOf("samples", 5)});
        model.setGrid(mediaGrid(listing, samples, {}));
        QCOMPARE(model.columnCount(), 2);
        QVERIFY(kept.isValid());
        QCOMPARE(resets.count(), 0);
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), u"Step 5"_s);
        QCOMPARE(model.index(0, 1).data(Qt::ToolTipRole).toString(), u"samples, trial 1, step 5"_s);
        addRank(listing, 2, {itemOf("samples", 3)});
        model.setGrid(mediaGrid(listing, samples, {}));
        QCOMPARE(resets.count(), 1);
        QVERIFY(!model.flags(model.index(0, 1)).testFlag(Qt::ItemIsEnabled));
        model.setGrid({});
        QCOMPARE(model.rowCount(), 0);
    }

    void catalogReadsWhatIsNew()
    {
        const MediaFolder folder;
        const std::string line =
            R"({"time_ns":5,"hash":"h","name":"samples","size":3,"kind":"image","step":7,"offset":0})"
            "\n";
        MediaCatalog catalog;
        const std::vector<MediaSource> sources{{4, 2, 2, false, folder.path}};
        QVERIFY(catalog.read(sources).ranks.empty());
        folder.write("rank-1.media.jsonl", line + "nonsense\n{\"torn");
        const MediaListing first = catalog.read(sources);
        QCOMPARE(first.ranks.size(), std::size_t(1));
        QCOMPARE(first.ranks[0]->trial, 4);
        QCOMPARE(first.ranks[0]->rank, 1);
        QCOMPARE(first.damagedLines, std::size_t(1));
        QCOMPARE(catalog.read(sources).ranks[0], first.ranks[0]);
        QCOMPARE(catalog.read({{4, 2, 2, true, folder.path}}).damagedLines, std::size_t(2));
        folder.append("rank-1.media.jsonl", "\n" + line);
        QCOMPARE(catalog.read(sources).ranks[0]->items.size(), std::size_t(2));
        QVERIFY(catalog.read({}).ranks.empty());
    }
};

SWEEPSCOPE_TEST(MediaGridTest)
#include "tst_mediagrid.moc"
