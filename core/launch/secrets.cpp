#include "launch/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

namespace {

/// "WANDB_API_KEY" -> WANDB, API, KEY; "dbPassword" stays one word.
std::vector<std::string> wordsOf(const std::string &variable)
{
    std::vector<std::string> words(1);
    for (const char c : variable) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        else
            words.emplace_back();
    }
    return words;
}

/// "postgres://user:password@host/db": what is between the colon and the last @ before the path.
void maskPasswordOfUrl(std::string &text)
{
    const std::size_t scheme = text.find("://");
    if (scheme == std::string::npos)
        return;
    const std::size_t begin = scheme + 3;
    const std::size_t end = std::min(text.find_first_of("/?# ", begin), text.size());
    const std::size_t at = text.rfind('@', end);
    const std::size_t colon = text.find(':', begin);
    if (at == std::string::npos || at < begin || colon >= at)
        return;
    text.replace(colon + 1, at - colon - 1, "***");
}

}  // namespace

bool isSecret(const std::string &variable)
{
    constexpr std::array<std::string_view, 14> secretWords{
        "KEY",        "TOKEN",       "SECRET", "PASSWORD", "PASSWD",        "PASSPHRASE", "PWD",
        "CREDENTIAL", "CREDENTIALS", "AUTH",   "PAT",      "AUTHORIZATION", "COOKIE",     "DSN"};
    constexpr std::array<std::string_view, 6> secretEndings{"APIKEY",   "TOKEN",  "SECRET",
                                                            "PASSWORD", "PASSWD", "PASSPHRASE"};
    if (variable == "PWD" || variable == "OLDPWD")
        return false;
    const std::vector<std::string> words = wordsOf(variable);
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
        return std::find(secretWords.begin(), secretWords.end(), word) != secretWords.end()
               || std::any_of(secretEndings.begin(), secretEndings.end(),
                              [&](std::string_view ending) { return word.ends_with(ending); });
    });
}

std::map<std::string, std::string> withoutSecrets(const std::map<std::string, std::string> &environment)
{
    std::map<std::string, std::string> shown = environment;
    for (auto &[name, value] : shown) {
        if (isSecret(name) && !value.empty())
            value = "***";
        else
            maskPasswordOfUrl(value);
    }
    return shown;
}

}  // namespace sweepscope::launch
