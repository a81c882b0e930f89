#pragma once

#include "feedtesting.h"

#include "feed/logwriter.h"

namespace feedtesting {

constexpr std::size_t somePreambleBytes = 56;

/// Writes a small log with every kind of record, and returns its bytes.
inline std::string everyKind(const std::filesystem::path &path)
{
    {
        auto writer = sweepscope::feed::LogWriter::open(path, somePreamble()).value();
        const auto cpu = writer.declare("cpu", "%");
        const auto memory = writer.declare("memory", "B");
        writer.write(cpu, 1, 10, 50.5);
        writer.write(memory, 0x500000001, 11, 1e9);
        writer.write(cpu, -3, 12, 51.5);
        REQUIRE(writer.flush());
    }
    std::string bytes = contentOf(path);
    // A gap, an event, and a record of a kind from a later version.
    const auto word = [&bytes](std::uint64_t value) { bytes.append(reinterpret_cast<const char *>(&value), 8); };
    word(5 | std::uint64_t{24} << 32);
    word(13);
    word(42);
    word(4 | std::uint64_t{40} << 32);
    word(14);
    word(7);
    word(3 | std::uint64_t{5} << 16);
    bytes.append("saved\0\0\0", 8);
    word(200 | std::uint64_t{16} << 32);
    word(0xdeadbeef);
    word(3 | std::uint64_t{0} << 16 | std::uint64_t{0xfffffff0} << 32);
    word(15);
    word(0x3ff0000000000000);
    writeContent(path, bytes);
    return bytes;
}

}  // namespace feedtesting
