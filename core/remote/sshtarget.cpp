#include "remote/sshtarget.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sweepscope::remote {

namespace {

constexpr std::string_view scheme = "ssh://";

/// User and host names, also "user@domain@host" and "fe80::1%eth0"; no blank, quote or control character.
bool isDestination(std::string_view text)
{
    constexpr std::string_view allowed = "@._-:%+~";
    const auto isRight = [&](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80
               || allowed.find(static_cast<char>(c)) != std::string_view::npos;
    };
    return !text.empty() && text.front() != '-' && text.back() != '@' && text.find("@-") == std::string_view::npos
           && std::ranges::all_of(text, isRight);
}

}  // namespace

Expected<SshTarget> parseSshTarget(const std::string &text)
{
    const auto wrong = [&text](const std::string &what) {
        return makeError(ErrorCode::BadInput, "'" + text + "' " + what + ": write e.g. ssh://ann@gpu1 or ann@gpu1");
    };
    SshTarget target;
    std::string_view rest = text;
    const bool isUrl = rest.starts_with(scheme);
    if (isUrl) {
        rest.remove_prefix(scheme.size());
        if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
            target.folder = rest.substr(slash);
            rest = rest.substr(0, slash);
            if (target.folder.starts_with("/~/"))
                target.folder.erase(0, 3);
            else if (target.folder == "/" || target.folder == "/~")
                target.folder.clear();
        }
        const std::size_t colon = rest.rfind(':');
        const bool isInBrackets = colon != std::string_view::npos && rest.find(']', colon) != std::string_view::npos;
        if (colon != std::string_view::npos && !isInBrackets) {
            const std::string_view digits = rest.substr(colon + 1);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), target.port);
            if (error != std::errc() || end != digits.data() + digits.size() || target.port < 1 || target.port > 65535)
                return wrong("has no valid port");
            rest = rest.substr(0, colon);
        }
    } else if (rest.find("://") != std::string_view::npos) {
        return wrong("is not an ssh address");
    }
    target.destination = rest;
    // "ssh://ann@[fe80::1]:22"
    std::erase_if(target.destination, [isUrl](char c) { return isUrl && (c == '[' || c == ']'); });
    if (!isDestination(target.destination))
        return wrong("names no machine");
    if (target.folder.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
        return wrong("has no valid folder");
    return target;
}

std::string toString(const SshTarget &target)
{
    std::string text(scheme);
    const std::size_t host = target.destination.rfind('@') + 1;  // npos + 1 is 0
    const bool hasColon = target.destination.find(':', host) != std::string::npos;
    text += target.destination.substr(0, host) + (hasColon ? "[" : "") + target.destination.substr(host)
            + (hasColon ? "]" : "");
    if (target.port != 0)
        text += ":" + std::to_string(target.port);
    if (!target.folder.empty())
        text += target.folder.starts_with('/') ? target.folder : "/~/" + target.folder;
    return text;
}

}  // namespace sweepscope::remote
