#include "testprogram.h"

#include "ui/models/valueorder.h"

#include <QTest>

#include <algorithm>

#include <cmath>

using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class ValueOrderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void missingValuesAndNanAreLastInEitherDirection();
    void numbersComeBeforeStrings();
    void equalItemsKeepTheirOrder();
    void eachValueIsReadOnce();
    void numbersInNamesAreCompared();

private:
    static std::vector<int> sorted(const QVariantList &values, Qt::SortOrder order)
    {
        std::vector<int> items;
        for (int i = 0; i < values.size(); ++i)
            items.push_back(i);
        sortByValue(items, order, [&values](int item) { return values[item]; });
        return items;
    }
};

void ValueOrderTest::missingValuesAndNanAreLastInEitherDirection()
{
    const QVariantList values{QVariant(), 2.0, std::nan(""), 1};
    QCOMPARE(sorted(values, Qt::AscendingOrder), (std::vector<int>{3, 1, 0, 2}));
    QCOMPARE(sorted(values, Qt::DescendingOrder), (std::vector<int>{1, 3, 0, 2}));
}

void ValueOrderTest::numbersComeBeforeStrings()
{
    const QVariantList values{u"sgd"_s, 3, u"adam"_s};
    QCOMPARE(sorted(values, Qt::AscendingOrder), (std::vector<int>{1, 2, 0}));
}

void ValueOrderTest::equalItemsKeepTheirOrder()
{
    const QVariantList values{1, 2, 1, 2};
    QCOMPARE(sorted(values, Qt::AscendingOrder), (std::vector<int>{0, 2, 1, 3}));
    QCOMPARE(sorted(values, Qt::DescendingOrder), (std::vector<int>{1, 3, 0, 2}));
}

void ValueOrderTest::eachValueIsReadOnce()
{
    std::vector<int> items{3, 1, 2, 0};
    int reads = 0;
    sortByValue(items, Qt::AscendingOrder, [&reads](int item) {
        ++reads;
        return QVariant(item);
    });
    QCOMPARE(items, (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(reads, 4);
}

void ValueOrderTest::numbersInNamesAreCompared()
{
    const QStringList names{u""_s,        u"a"_s,      u"a/b"_s,         u"rank-0.log"_s, u"rank-1.log"_s, u"step"_s,
                            u"step-01"_s, u"step-1"_s, u"step-1/x.pt"_s, u"step-2"_s,     u"step-10"_s,    u"step-a"_s};
    QStringList sorted(names.rbegin(), names.rend());
    std::sort(sorted.begin(), sorted.end(), isNaturallyLess);
    QCOMPARE(sorted, names);
    QVERIFY(isNaturallyLess(u"step-99999999999999999999", u"step-100000000000000000000"));
    QVERIFY(!isNaturallyLess(u"step-2", u"step-2"));
}

SWEEPSCOPE_TEST(ValueOrderTest)
#include "tst_valueorder.moc"
