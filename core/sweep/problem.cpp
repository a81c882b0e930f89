#include "sweep/problem.h"

namespace sweepscope::sweep {

std::string entryField(const std::string &section, const std::string &name, std::size_t index)
{
    return section + "." + (name.empty() ? std::to_string(index + 1) : name);
}

std::string describe(const Problem &problem, const std::string &file)
{
    std::string text = file;
    if (problem.line > 0) {
        text += (text.empty() ? "" : ":") + std::to_string(problem.line);
        if (problem.column > 0)
            text += ":" + std::to_string(problem.column);
    }
    if (!problem.field.empty())
        text += (text.empty() ? "" : ": ") + problem.field;
    return text + (text.empty() ? "" : ": ") + problem.message;
}

}  // namespace sweepscope::sweep
