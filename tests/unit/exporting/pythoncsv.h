#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <sys/wait.h>

/// Reads a CSV file with Python's csv module in strict mode and returns its cells: "\x1f" between fields, "\x1e" after
/// rows. Fails with the exception's message if Python rejects the file.
inline std::string readWithPython(const std::filesystem::path &file)
{
    const std::string program = "import csv, sys\n"
                                "with open(sys.argv[1], newline='', encoding='utf-8') as f:\n"
                                "    rows = list(csv.reader(f, strict=True))\n"
                                "widths = {len(row) for row in rows}\n"
                                "assert len(widths) == 1, widths\n"
                                "sys.stdout.write(''.join('\\x1f'.join(row) + '\\x1e' for row in rows))\n";
    const std::string command = "python3 -c \"" + program + "\" '" + file.string() + "' 2>&1";
    std::string output;
    FILE *pipe = ::popen(command.c_str(), "re");
    if (pipe == nullptr)
        return "python3 could not be started";
    char buffer[4096];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        output.append(buffer, got);
    const int status = ::pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "python3 failed: " + output;
    return output;
}
