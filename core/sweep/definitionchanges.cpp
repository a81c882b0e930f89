#include "sweep/definitionchanges.h"

#include "base/printable.h"
#include "sweep/sweepfilewriter.h"

#include <algorithm>
#include <utility>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t longestValue = 60;

std::string shortened(const std::string &value)
{
    return value.size() <= longestValue ? value : cutBetweenCharacters(value, longestValue) + " ...";
}

}  // namespace

facts::Facts changesBetween(const SweepSpec &before, const SweepSpec &after)
{
    using facts::Fact;
    using facts::Field;
    const std::vector<WrittenKey> old = writtenKeys(before);
    const std::vector<WrittenKey> now = writtenKeys(after);
    facts::Facts changes;
    for (const WrittenKey &key : now) {
        const WrittenKey *was = findKey(old, key);
        if (was != nullptr && was->value == key.value)
            continue;
        Fact change = Fact(facts::Code::KeyChanged).with(Field::Key, key.dotted());
        if (was != nullptr)
            change = std::move(change).with(Field::Before, shortened(was->value));
        changes.push_back(std::move(change).with(Field::After, shortened(key.value)));
    }
    for (const WrittenKey &key : old) {
        if (findKey(now, key) == nullptr)
            changes.push_back(
                Fact(facts::Code::KeyChanged).with(Field::Key, key.dotted()).with(Field::Before, shortened(key.value)));
    }
    return changes;
}

}  // namespace sweepscope::sweep
