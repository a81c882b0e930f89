#include "argumentchecks.h"

#include "base/suggestion.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace sweepscope::ctl {

namespace {

constexpr int largest = std::numeric_limits<int>::max();

CLI::Validator integer(int least, int most, const std::string &expected)
{
    return CLI::Validator(
        [least, most, expected](std::string &text) {
            int value = 0;
            const char *const end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, value);
            const bool isInteger = stopped == end && !text.empty();
            if (isInteger && error == std::errc() && value >= least && value <= most)
                return std::string();
            if (isInteger && error == std::errc::result_out_of_range && text.front() != '-' && most == largest)
                return "must be at most " + std::to_string(most) + ", not '" + text + "'";
            return "must be " + expected + ", not '" + text + "'";
        },
        "");
}

}  // namespace

CLI::Validator atLeast(int least)
{
    return integer(least, largest, "an integer of at least " + std::to_string(least));
}

CLI::Validator between(int least, int most)
{
    return integer(least, most, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
}

CLI::Validator oneOf(std::vector<std::string> words)
{
    return CLI::Validator(
        [words = std::move(words)](std::string &text) {
            return std::ranges::find(words, text) != words.end() ? std::string()
                                                                 : "must be " + orList(words) + ", not '" + text + "'";
        },
        "");
}

CLI::Validator notEmpty()
{
    return CLI::Validator(
        [](std::string &text) { return text.empty() ? std::string("must not be empty") : std::string(); }, "");
}

CLI::Validator notAnOption()
{
    return CLI::Validator(
        [](std::string &text) {
            return text.empty() || text.starts_with("--") ? std::string("needs a value") : std::string();
        },
        "");
}

void allowOneOf(CLI::App &command, std::vector<const CLI::Option *> options)
{
    command.callback([options = std::move(options)] {
        const CLI::Option *first = nullptr;
        for (const CLI::Option *option : options) {
            if (option->count() == 0)
                continue;
            if (first != nullptr)
                throw CLI::ValidationError(first->get_name(), "and " + option->get_name() + " cannot be used together");
            first = option;
        }
    });
}

}  // namespace sweepscope::ctl
