#include "sweep/mark.h"

#include "base/printable.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

/// The history shows only the start of a note's first line; the mark keeps all of it.
constexpr std::size_t bytesInHistory = 80;

std::string beginningOf(const std::string &note)
{
    const std::string line = cutBetweenCharacters(note.substr(0, note.find('\n')), bytesInHistory);
    return line.size() < note.size() ? line + "…" : line;
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

Expected<void> checkTag(const std::string &tag)
{
    if (tag.empty())
        return makeError(ErrorCode::BadInput, "a tag cannot be empty");
    if (tag.size() > maxTagBytes)
        return makeError(ErrorCode::BadInput,
                         "the tag '" + tag + "' is longer than " + std::to_string(maxTagBytes) + " bytes");
    const bool hasOdd = std::any_of(tag.begin(), tag.end(), [](char c) {
        return c == ',' || (static_cast<unsigned char>(c) < 0x20U && c != '\t') || c == 0x7F;
    });
    if (hasOdd || isBlank(tag.front()) || isBlank(tag.back()))
        return makeError(ErrorCode::BadInput,
                         "the tag '" + tag
                             + "' contains a comma or a control character, or starts or ends with a blank");
    return {};
}

void addTo(std::string &text, const std::string &part)
{
    text += (text.empty() ? "" : "; ") + part;
}

}  // namespace

Expected<void> check(const MarkChange &change)
{
    for (const std::vector<std::string> *tags : {&change.addedTags, &change.removedTags}) {
        for (const std::string &tag : *tags) {
            if (Expected<void> fine = checkTag(tag); !fine)
                return fine;
        }
    }
    if (change.note && change.note->size() > maxNoteBytes)
        return makeError(ErrorCode::BadInput, "the note has " + std::to_string(change.note->size())
                                                  + " bytes; the maximum is " + std::to_string(maxNoteBytes));
    return {};
}

Expected<Mark> changed(Mark mark, const MarkChange &change)
{
    mark.starred = change.starred.value_or(mark.starred);
    mark.note = change.note.value_or(mark.note);
    std::erase_if(mark.tags, [&](const std::string &tag) {
        return std::find(change.removedTags.begin(), change.removedTags.end(), tag) != change.removedTags.end();
    });
    mark.tags.insert(mark.tags.end(), change.addedTags.begin(), change.addedTags.end());
    std::sort(mark.tags.begin(), mark.tags.end());
    mark.tags.erase(std::unique(mark.tags.begin(), mark.tags.end()), mark.tags.end());
    if (mark.tags.size() > maxTags)
        return makeError(ErrorCode::BadInput, "there can be at most " + std::to_string(maxTags) + " tags");
    return mark;
}

std::string toText(const MarkChange &change)
{
    std::string text;
    if (change.starred)
        addTo(text, *change.starred ? "starred it" : "removed its star");
    for (const std::string &tag : change.removedTags)
        addTo(text, "removed its tag '" + tag + "'");
    for (const std::string &tag : change.addedTags)
        addTo(text, "tagged it '" + tag + "'");
    if (change.note)
        addTo(text, change.note->empty() ? "removed its note" : "noted: " + beginningOf(*change.note));
    return text;
}

}  // namespace sweepscope::sweep
