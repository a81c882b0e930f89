#include "launch/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unistd.h>
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

/// Masks the password in the URL whose "://" is at `scheme`: in "user:password@host/db", the part between the colon and
/// the last @ before the path; in the web's "token@host", all before the @. Returns where the rest begins.
std::size_t maskPasswordOfUrl(std::string &text, std::size_t scheme)
{
    const std::size_t begin = scheme + 3;
    const std::size_t end = std::min(text.find_first_of("/?# ,", begin), text.size());
    const std::size_t at = text.rfind('@', end);
    if (at == std::string::npos || at < begin)
        return begin;
    const std::size_t colon = text.find(':', begin);
    const bool isWeb =
        scheme >= 4 && (text.compare(scheme - 4, 4, "http") == 0 || text.compare(scheme - 4, 4, "ttps") == 0);
    if (colon < at)
        text.replace(colon + 1, at - colon - 1, "***");
    else if (isWeb)
        text.replace(begin, at - begin, "***");
    return begin;
}

void maskPasswordsOfUrls(std::string &text)
{
    for (std::size_t scheme = text.find("://"); scheme != std::string::npos; scheme = text.find("://", scheme))
        scheme = maskPasswordOfUrl(text, scheme);
}

}  // namespace

bool isSecret(const std::string &variable)
{
    // A connection string is a list of fields, one of which is the password.
    constexpr std::array<std::string_view, 18> secretWords{
        "KEY",        "TOKEN",       "SECRET", "PASSWORD", "PASSWD",        "PASSPHRASE", "PWD",   "PASS",       "PW",
        "CREDENTIAL", "CREDENTIALS", "AUTH",   "PAT",      "AUTHORIZATION", "COOKIE",     "CREDS", "CONNECTION", "DSN"};
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

SecretValues::SecretValues(const std::map<std::string, std::string> &environment, const std::set<std::string> &secret)
{
    constexpr std::size_t shortest = 6;
    const auto add = [&](const std::string &name, const std::string &value) {
        if (value.size() >= shortest && (secret.contains(name) || isSecret(name)))
            m_values.push_back(value);
    };
    for (const auto &[name, value] : environment)
        add(name, value);
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string text(*variable);
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            add(text.substr(0, equals), text.substr(equals + 1));
    }
    std::stable_sort(m_values.begin(), m_values.end(),
                     [](const std::string &a, const std::string &b) { return a.size() > b.size(); });
}

std::string SecretValues::masked(std::string text) const
{
    constexpr std::string_view mask = "***";
    for (const std::string &value : m_values) {
        for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + mask.size()))
            text.replace(at, value.size(), mask);
    }
    return text;
}

std::map<std::string, std::string> withoutSecrets(const std::map<std::string, std::string> &environment)
{
    std::map<std::string, std::string> shown = environment;
    for (auto &[name, value] : shown) {
        if (isSecret(name) && !value.empty())
            value = "***";
        else
            maskPasswordsOfUrls(value);
    }
    return shown;
}

}  // namespace sweepscope::launch
