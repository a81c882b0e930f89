#include "checkrows.h"

#include "jsonvalues.h"

#include <algorithm>
#include <iostream>

namespace sweepscope::ctl {

namespace {

const char *wordFor(Finding finding)
{
    switch (finding) {
    case Finding::Good:
        return "ok";
    case Finding::Warning:
        return "warning";
    case Finding::Bad:
        break;
    }
    return "failed";
}

}  // namespace

void printRow(const CheckRow &row)
{
    constexpr std::size_t subjectWidth = 14;
    constexpr std::size_t findingWidth = 9;
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(std::max(text.size() + 1, width), ' ');
        return text;
    };
    std::cout << "  " << padded(row.subject, subjectWidth) << padded(wordFor(row.finding), findingWidth) << row.text
              << '\n';
    if (!row.remedy.empty())
        std::cout << std::string(2 + subjectWidth + findingWidth, ' ') << "-> " << row.remedy << '\n';
    std::cout.flush();
}

nlohmann::ordered_json rowToJson(const CheckRow &row)
{
    return {{"subject", row.subject},
            {"result", wordFor(row.finding)},
            {"text", row.text},
            {"remedy", row.remedy.empty() ? Json(nullptr) : Json(row.remedy)}};
}

}  // namespace sweepscope::ctl
