#include "protocol/markcodec.h"

#include "protocol/cborfields.h"

namespace sweepscope::protocol {

QCborMap toCbor(const sweep::Mark &mark)
{
    QCborMap map;
    if (mark.starred)
        map.insert(QLatin1String("starred"), true);
    if (!mark.tags.empty())
        map.insert(QLatin1String("tags"), texts(mark.tags));
    if (!mark.note.empty())
        map.insert(QLatin1String("note"), QString::fromStdString(mark.note));
    return map;
}

Expected<sweep::Mark> markFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a mark");
    sweep::MarkChange change;
    change.starred = fields.value("starred").toBool();
    change.addedTags = fields.optionalTexts("tags");
    change.note = fields.value("note").toString().toStdString();
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return sweep::check(change).and_then([&change] { return sweep::changed({}, change); });
}

QCborMap toCbor(const sweep::MarkChange &change)
{
    QCborMap map;
    if (change.starred)
        map.insert(QLatin1String("starred"), *change.starred);
    if (!change.addedTags.empty())
        map.insert(QLatin1String("addedTags"), texts(change.addedTags));
    if (!change.removedTags.empty())
        map.insert(QLatin1String("removedTags"), texts(change.removedTags));
    if (change.note)
        map.insert(QLatin1String("note"), QString::fromStdString(*change.note));
    return map;
}

Expected<sweep::MarkChange> markChangeFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a change of a mark");
    sweep::MarkChange change;
    if (const QCborValue starred = fields.value("starred"); starred.isBool())
        change.starred = starred.toBool();
    change.addedTags = fields.optionalTexts("addedTags");
    change.removedTags = fields.optionalTexts("removedTags");
    if (const QCborValue note = fields.value("note"); note.isString())
        change.note = note.toString().toStdString();
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return change;
}

}  // namespace sweepscope::protocol
