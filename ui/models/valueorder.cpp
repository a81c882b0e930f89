#include "ui/models/valueorder.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sweepscope::ui {

namespace {

struct SortKey {
    enum class Kind { Number, Text, Missing };
    Kind kind = Kind::Missing;
    double number = 0;
    QString text;

    explicit SortKey(const QVariant &value)
    {
        if (!value.isValid())
            return;
        if (value.typeId() == QMetaType::QString) {
            kind = Kind::Text;
            text = value.toString();
        } else if (const double found = value.toDouble(); !std::isnan(found)) {
            kind = Kind::Number;
            number = found;
        }
    }

    bool isLess(const SortKey &other, bool descending) const
    {
        if (kind == Kind::Missing || other.kind == Kind::Missing)
            return kind != Kind::Missing && other.kind == Kind::Missing;
        const SortKey &a = descending ? other : *this;
        const SortKey &b = descending ? *this : other;
        if (a.kind != b.kind)
            return a.kind < b.kind;
        return a.kind == Kind::Number ? a.number < b.number : QString::localeAwareCompare(a.text, b.text) < 0;
    }
};

}  // namespace

void sortByValue(std::vector<int> &items, Qt::SortOrder order, const std::function<QVariant(int)> &valueOf)
{
    std::vector<SortKey> keys;
    keys.reserve(items.size());
    for (const int item : items)
        keys.emplace_back(valueOf(item));
    std::vector<std::size_t> places(items.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const bool descending = order == Qt::DescendingOrder;
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return keys[a].isLess(keys[b], descending); });
    std::vector<int> sorted;
    sorted.reserve(items.size());
    for (const std::size_t place : places)
        sorted.push_back(items[place]);
    items = std::move(sorted);
}

bool isNaturallyLess(QStringView a, QStringView b)
{
    const auto digitsAt = [](QStringView text, qsizetype place) {
        const auto end = std::find_if(text.begin() + place, text.end(), [](QChar c) { return c < u'0' || c > u'9'; });
        return text.mid(place, end - text.begin() - place);
    };
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < a.size() && j < b.size()) {
        const QStringView left = digitsAt(a, i);
        const QStringView right = digitsAt(b, j);
        if (left.isEmpty() || right.isEmpty()) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto value = [](QStringView digits) {
            while (digits.size() > 1 && digits.front() == u'0')
                digits = digits.mid(1);
            return digits;
        };
        const QStringView one = value(left);
        const QStringView other = value(right);
        if (one != other)
            return one.size() != other.size() ? one.size() < other.size() : one < other;
        i += left.size();
        j += right.size();
    }
    return a.size() - i < b.size() - j || (i == a.size() && j == b.size() && a < b);
}

}  // namespace sweepscope::ui
