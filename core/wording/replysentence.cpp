#include "wording/replysentence.h"

#include "wording/placeholders.h"

namespace sweepscope::wording {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

std::string markPart(const Fact &part, const std::string &what)
{
    const Fact named = Fact(part).with(Field::Sweep, what);
    const bool isSeveral = part.text(Field::Detail).find(',') != std::string::npos;
    switch (part.code) {
    case Code::Starred:
        return fill(text("starred {sweep}"), named);
    case Code::Unstarred:
        return fill(text("removed the star of {sweep}"), named);
    case Code::TagsAdded:
        return fill(text("tagged {sweep} with {detail}"), named);
    case Code::TagsRemoved:
        return fill(isSeveral ? text("removed the tags {detail} of {sweep}")
                              : text("removed the tag {detail} of {sweep}"),
                    named);
    case Code::NoteChanged:
        return fill(text("changed the note of {sweep}"), named);
    default:
        return fill(text("changed {sweep}"), named);
    }
}

/// The values are in TOML.
std::string unquoted(const std::string &value)
{
    const bool isQuoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    return isQuoted ? value.substr(1, value.size() - 2) : value;
}

bool isRenaming(const Fact &fact)
{
    return fact.text(Field::Key) == "sweep.name" && !fact.text(Field::Before).empty()
           && !fact.text(Field::After).empty();
}

Fact withNames(const Fact &fact)
{
    return Fact(fact)
        .with(Field::Before, unquoted(fact.text(Field::Before)))
        .with(Field::After, unquoted(fact.text(Field::After)));
}

}  // namespace

std::string markReply(const Fact &fact, const std::string &what)
{
    std::string sentence;
    for (const Fact &part : fact.because)
        sentence += (sentence.empty() ? "" : "; ") + markPart(part, what);
    return sentence.empty() ? markPart(fact, what) : sentence;
}

std::string keyChange(const Fact &fact)
{
    if (isRenaming(fact))
        return fill(text("renamed {before} to {after}"), withNames(fact));
    if (fact.text(Field::Before).empty())
        return fill(text("{key} set to {after}"), fact);
    return fact.text(Field::After).empty() ? fill(text("{key} removed (was {before})"), fact)
                                           : fill(text("{key} changed from {before} to {after}"), fact);
}

std::string conditionalKeyChange(const Fact &fact)
{
    if (isRenaming(fact))
        return fill(text("would rename {before} to {after}"), withNames(fact));
    if (fact.text(Field::Before).empty())
        return fill(text("would set {key} to {after}"), fact);
    return fact.text(Field::After).empty() ? fill(text("would remove {key} (now {before})"), fact)
                                           : fill(text("would change {key} from {before} to {after}"), fact);
}

}  // namespace sweepscope::wording
