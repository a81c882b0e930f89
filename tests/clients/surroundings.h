#pragma once

#include <cstdio>
#include <dirent.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace surroundings {

inline std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

inline std::string openDescriptors()
{
    std::string list;
    DIR *folder = ::opendir("/proc/self/fd");
    while (const dirent *entry = folder != nullptr ? ::readdir(folder) : nullptr) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && name != std::to_string(::dirfd(folder)))
            list += (list.empty() ? "" : ",") + name;
    }
    if (folder != nullptr)
        ::closedir(folder);
    return list;
}

/// Returns "0,1": the CPUs that it may run on.
inline std::string cpus()
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    ::sched_getaffinity(0, sizeof mask, &mask);
    std::string list;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &mask))
            list += (list.empty() ? "" : ",") + std::to_string(cpu);
    }
    return list;
}

/// This process's environment, folder, arguments, CPUs and open descriptors as one JSON object.
inline std::string asJson(int argc, char **argv)
{
    std::string out = "{\"environment\":{";
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            continue;
        out +=
            (variable == environ ? "" : ",") + quoted(text.substr(0, equals)) + ":" + quoted(text.substr(equals + 1));
    }
    out += "},\"arguments\":[";
    for (int i = 0; i < argc; ++i)
        out += (i == 0 ? "" : ",") + quoted(argv[i]);
    char folder[4096];
    out += "],\"folder\":" + quoted(::getcwd(folder, sizeof folder) != nullptr ? folder : "");
    out += ",\"group\":" + std::to_string(::getpgrp()) + ",\"pid\":" + std::to_string(::getpid());
    out += ",\"cpus\":[" + cpus() + "]";
    out += ",\"descriptors\":[" + openDescriptors() + "]}";
    return out;
}

}  // namespace surroundings
