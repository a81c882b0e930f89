#pragma once

#include "base/error.h"

#include <cstddef>
#include <string>

/// What a person who asked for something reads.
namespace sweepscope::engine {

/// "3 running trials", "1 waiting trial"; of no kind: "2 trials".
inline std::string count(std::size_t number, const std::string &kind)
{
    return std::to_string(number) + (kind.empty() ? "" : " ") + kind + (number == 1 ? " trial" : " trials");
}

/// Sentences that are there, one after the other.
class Answer {
public:
    Answer &say(const std::string &sentence)
    {
        m_text += (m_text.empty() ? "" : " ") + sentence;
        return *this;
    }
    Answer &sayIf(bool holds, const std::string &sentence) { return holds ? say(sentence) : *this; }
    std::string text() const { return m_text; }

private:
    std::string m_text;
};

inline tl::unexpected<Error> notWritten()
{
    return makeError(ErrorCode::Io, "nothing was changed: the database cannot be written; see engine.log");
}

inline tl::unexpected<Error> cannot(const std::string &why)
{
    return makeError(ErrorCode::BadInput, why);
}

}  // namespace sweepscope::engine
