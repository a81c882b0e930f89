#include "importing/yamlvalue.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using importing::parseYaml;
using importing::YamlValue;
using sweep::ParameterValue;

namespace {

ParameterValue scalarOf(const std::string &text)
{
    const auto yaml = parseYaml("a: " + text);
    REQUIRE(yaml);
    REQUIRE(yaml->find("a"));
    REQUIRE(yaml->find("a")->isScalar());
    return yaml->find("a")->scalar;
}

}  // namespace

TEST_CASE("scalars have the types that PyYAML gives them")
{
    CHECK(scalarOf("12") == ParameterValue(std::int64_t{12}));
    CHECK(scalarOf("+3") == ParameterValue(std::int64_t{3}));
    CHECK(scalarOf("0.5") == ParameterValue(0.5));
    CHECK(scalarOf("1e-4") == ParameterValue(1e-4));
    CHECK(scalarOf("yes") == ParameterValue(true));
    CHECK(scalarOf("Off") == ParameterValue(false));
    CHECK(scalarOf("'12'") == ParameterValue(std::string("12")));
    CHECK(scalarOf("\"true\"") == ParameterValue(std::string("true")));
    CHECK(scalarOf("adam") == ParameterValue(std::string("adam")));
    CHECK(scalarOf("e") == ParameterValue(std::string("e")));
    CHECK(parseYaml("a: ~")->find("a")->kind == YamlValue::Kind::Null);
}

TEST_CASE("values know line and column of their key")
{
    const auto yaml = parseYaml("a: 1\nb:\n  c:\n    - 2\n");
    REQUIRE(yaml);
    const YamlValue *c = yaml->find("b")->find("c");
    CHECK(c->line == 3);
    CHECK(c->column == 3);
    CHECK(c->items[0].integer() == 2);
}

TEST_CASE("invalid documents are refused with their place")
{
    CHECK(parseYaml("a: [1, 2").error().line > 0);
    const auto twice = parseYaml("a: 1\nb: 2\na: 3\n");
    REQUIRE(!twice);
    CHECK(twice.error().line == 3);
    CHECK(!parseYaml("x: &x {a: 1}\ny:\n  <<: *x\n"));
    CHECK(!parseYaml("? [a, b]\n: 1\n"));
}

TEST_CASE("documents that grow through aliases or nest deeply are refused")
{
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j)
            bomb += (j == 0 ? "" : ", ") + before;
        bomb += "]\n";
    }
    CHECK(!parseYaml(bomb));
    CHECK(!parseYaml(std::string(200, '[') + std::string(200, ']')));
    CHECK(!parseYaml(std::string(100'000, '[')));
}
