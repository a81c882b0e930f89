#include "testprogram.h"

#include "ui/media/contentmodel.h"
#include "ui/media/contentview.h"
#include "ui/media/histogramsview.h"
#include "ui/media/imagewipe.h"
#include "ui/media/medialoader.h"
#include "unit/media/mediafolder.h"

#include <QAbstractItemModelTester>
#include <QBuffer>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using media::MediaKind;

namespace {

std::string pngOf(const QColor &color, const QSize &size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(color);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "PNG");
    return bytes.toStdString();
}

/// A rank that has recorded items.
class Recorded {
public:
    void add(MediaKind kind, const std::string &bytes, std::int64_t step = 1)
    {
        media::MediaItem item;
        item.kind = kind;
        item.name = "item";
        item.step = step;
        item.offset = m_end;
        item.size = bytes.size();
        m_end += bytes.size();
        folder.append("rank-0.media", bytes);
        m_media.items.push_back(item);
    }
    PlacedItem at(std::size_t place) const { return {&m_media, &m_media.items.at(place)}; }
    std::vector<PlacedItem> all() const
    {
        std::vector<PlacedItem> items;
        for (const media::MediaItem &item : m_media.items)
            items.push_back({&m_media, &item});
        return items;
    }

    MediaFolder folder;

private:
    RankMedia m_media{1, 1, 0, folder.path, {}};
    std::uint64_t m_end = 0;
};

}  // namespace

/// Contents of items, and how they are shown.
class MediaViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contentsAreReadOnAnotherThread()
    {
        Recorded recorded;
        recorded.add(MediaKind::Image, pngOf(Qt::red, {1000, 500}));
        recorded.add(MediaKind::Image, "no image");
        recorded.add(MediaKind::Text, "hello");
        recorded.add(MediaKind::Table, "{}");
        MediaLoader loader;
        const QSignalSpy loaded(&loader, &MediaLoader::loaded);
        QVERIFY(!loader.get(recorded.at(0)));
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(0)), patience);
        QCOMPARE(loader.get(recorded.at(0))->image.size(), QSize(320, 160));
        QCOMPARE(loader.get(recorded.at(0))->imageSize, QSize(1000, 500));
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(0), MediaDetail::Full), patience);
        QCOMPARE(loader.get(recorded.at(0), MediaDetail::Full)->image.size(), QSize(1000, 500));
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(1)), patience);
        QCOMPARE(loader.get(recorded.at(1))->problem, u"The image is damaged"_s);
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(2)), patience);
        QCOMPARE(loader.get(recorded.at(2))->text, u"hello"_s);
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(3)), patience);
        QCOMPARE(loader.get(recorded.at(3))->problem, u"The table is damaged"_s);
        QVERIFY(loaded.count() >= 4);
    }

    void whatIsNotThereYetIsReadAgain()
    {
        Recorded recorded;
        recorded.add(MediaKind::Text, "hello");
        recorded.folder.write("rank-0.media", "hel");
        MediaLoader loader;
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(0)), patience);
        QVERIFY(!loader.get(recorded.at(0))->problem.isEmpty());
        recorded.folder.append("rank-0.media", "lo");
        QVERIFY(!loader.get(recorded.at(0))->problem.isEmpty());
        loader.retry();
        QTRY_VERIFY_WITH_TIMEOUT(loader.get(recorded.at(0)), patience);
        QCOMPARE(loader.get(recorded.at(0))->text, u"hello"_s);
    }

    void wipeShowsPartsOfBothImages()
    {
        ImageWipe wipe;
        wipe.resize(100, 100);
        QImage left(10, 10, QImage::Format_RGB32);
        left.fill(Qt::red);
        QImage right(20, 20, QImage::Format_RGB32);
        right.fill(Qt::blue);
        wipe.setImages(left, right);
        QVERIFY(wipe.comparesTwo());
        QImage shown = wipe.grab().toImage();
        QCOMPARE(shown.pixelColor(20, 50), QColor(Qt::red));
        QCOMPARE(shown.pixelColor(80, 50), QColor(Qt::blue));
        QTest::mouseClick(&wipe, Qt::LeftButton, {}, {90, 50});
        QVERIFY(std::abs(wipe.divider() - 0.9) < 0.02);
        QCOMPARE(wipe.grab().toImage().pixelColor(80, 50), QColor(Qt::red));
        QTest::keyClick(&wipe, Qt::Key_Left);
        QVERIFY(std::abs(wipe.divider() - 0.85) < 0.02);
        wipe.setImages(left);
        QVERIFY(!wipe.comparesTwo());
        QCOMPARE(wipe.grab().toImage().pixelColor(95, 50), QColor(Qt::red));
    }

    void mapHasTheShareOfEachValue()
    {
        const std::vector<StepHistogram> histograms{
            {1, {{1, 3}, {0, 1, 2}, 0}}, {2, {{}, {}, 5}}, {3, {{2}, {2, 4}, 0}}};
        const HistogramMap map = histogramMap(histograms, 4);
        QCOMPARE(map.lowest, 0.0);
        QCOMPARE(map.highest, 4.0);
        const std::vector<double> wanted{0, 0, 1, 1.0 / 3, 0, 0, 0, 0, 1, 1, 0, 0};
        QCOMPARE(map.shares.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(std::abs(map.shares[i] - wanted[i]) < 1e-9, qPrintable(QString::number(i)));
        QVERIFY(histogramMap({}, 4).shares.empty());
        const HistogramMap wide = histogramMap({{1, {{1}, {-1.7e308, 1.7e308}, 0}}}, 3);
        QVERIFY((wide.shares == std::vector<double>{1, 1, 1}));
    }

    void histogramsShareTheirRange()
    {
        const media::Histogram narrow{{1, 1}, {-1, 0, 1}, 0};
        const media::Histogram wide{{1}, {-5, 5}, 2};
        auto range = extended({}, {{}, {}, 3});
        QVERIFY(!range);
        range = extended(extended(range, narrow), wide);
        QVERIFY((range == HistogramRange{-5, 5}));
        QImage picture(100, 10, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPainter painter(&picture);
        paintHistogram(&painter, picture.rect(), narrow, *range, Qt::black);
        QCOMPARE(picture.pixelColor(38, 5), QColor(Qt::white));
        QCOMPARE(picture.pixelColor(42, 5), QColor(Qt::black));
        QCOMPARE(picture.pixelColor(58, 5), QColor(Qt::black));
        QCOMPARE(picture.pixelColor(62, 5), QColor(Qt::white));
    }

    void eachKindHasItsView()
    {
        Recorded recorded;
        recorded.add(MediaKind::Image, pngOf(Qt::red, {4, 4}), 1);
        recorded.add(MediaKind::Image, pngOf(Qt::blue, {4, 4}), 2);
        recorded.add(MediaKind::Text, "once upon a time");
        recorded.add(MediaKind::Table, R"({"columns":["a","b"],"rows":[[1,"x"],[2,"y"]]})");
        recorded.add(MediaKind::ConfusionMatrix,
                     R"({"columns":["actual","cat","dog"],"rows":[["cat",3,1],["dog",0,0]]})");
        recorded.add(MediaKind::Histogram, R"({"counts":[1,2],"edges":[0,1,2]})", 5);
        recorded.add(MediaKind::Artifact, "");
        MediaLoader loader;
        ContentView view(&loader);
        connect(&loader, &MediaLoader::loaded, &view, &ContentView::refresh);
        view.resize(400, 400);
        view.show();
        const auto shows = [&view](const QString &name) { return view.findChild<QWidget *>(name)->isVisible(); };
        QVERIFY(shows(u"mediaMessage"_s));
        view.showItem(recorded.at(0), {}, {});
        QTRY_VERIFY_WITH_TIMEOUT(shows(u"mediaImages"_s), patience);
        auto *images = view.findChild<ImageWipe *>(u"mediaImages"_s);
        QVERIFY(!images->comparesTwo());
        view.showItem(recorded.at(0), recorded.at(1), {});
        QTRY_VERIFY_WITH_TIMEOUT(images->comparesTwo(), patience);
        QVERIFY(
            view.findChild<QLabel *>(u"mediaTitle"_s)->text().startsWith(u"Left: item, trial 1, step 1\nRight: "_s));
        view.showItem(recorded.at(2), {}, {});
        QTRY_VERIFY_WITH_TIMEOUT(shows(u"mediaText"_s), patience);
        QCOMPARE(view.findChild<QPlainTextEdit *>(u"mediaText"_s)->toPlainText(), u"once upon a time"_s);
        view.showItem(recorded.at(3), {}, {});
        QTRY_VERIFY_WITH_TIMEOUT(shows(u"mediaTable"_s), patience);
        const auto *model = view.findChild<QTableView *>(u"mediaTable"_s)->model();
        QCOMPARE(model->columnCount(), 2);
        QCOMPARE(model->index(1, 1).data().toString(), u"y"_s);
        view.showItem(recorded.at(4), {}, {});
        QTRY_COMPARE_WITH_TIMEOUT(model->headerData(0, Qt::Vertical).toString(), u"cat"_s, patience);
        QCOMPARE(model->columnCount(), 2);
        QVERIFY(view.findChild<QLabel *>(u"mediaTitle"_s)->text().endsWith(u"\nRows: actual. Columns: predicted."_s));
        QCOMPARE(model->headerData(1, Qt::Horizontal).toString(), u"dog"_s);
        QCOMPARE(model->index(0, 0).data(Qt::ToolTipRole).toString(), u"cat predicted as cat: 3 (75.0%)"_s);
        QCOMPARE(model->index(1, 0).data(Qt::ToolTipRole).toString(), u"dog predicted as cat: 0 (0.0%)"_s);
        view.showItem(recorded.at(5), {}, {recorded.at(5)});
        QTRY_VERIFY_WITH_TIMEOUT(shows(u"mediaHistograms"_s), patience);
        view.showItem(recorded.at(6), {}, {});
        QVERIFY(shows(u"mediaMessage"_s));
    }

    void tableIsAModel()
    {
        auto content = std::make_shared<MediaContent>();
        content->table = media::parseTable(R"({"columns":["a","b"],"rows":[[1,"x"]]})");
        ContentModel model;
        const QAbstractItemModelTester tester(&model);
        model.setContent(content, false);
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!model.index(0, 0).data(Qt::BackgroundRole).isValid());
    }
};

SWEEPSCOPE_TEST(MediaViewsTest)
#include "tst_mediaviews.moc"
