#include "launch/secrets.h"

#include <cstdlib>

#include <doctest/doctest.h>

using namespace sweepscope::launch;

TEST_CASE("variables with secret names are masked, others are shown")
{
    for (const char *name : {"WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "token", "DB_PASSWORD", "dbPassword",
                             "OPENAI_APIKEY", "GOOGLE_APPLICATION_CREDENTIALS", "PGPASSWD", "GH_PAT", "HTTP_COOKIE",
                             "SENTRY_DSN", "AUTH", "DB_PASS", "AWS_CREDS", "AZURE_STORAGE_CONNECTION_STRING"})
        CHECK_MESSAGE(isSecret(name), name);
    for (const char *name : {"PATH", "PWD", "OLDPWD", "KEYBOARD", "TOKENIZERS_PARALLELISM", "MONKEY", "PATTERN",
                             "BYPASS", "PASSES", "AUTHOR", "CUDA_VISIBLE_DEVICES"})
        CHECK_MESSAGE(!isSecret(name), name);

    const auto shown = withoutSecrets({{"HF_TOKEN", "hf_123"}, {"EMPTY_TOKEN", ""}, {"NCCL_DEBUG", "INFO"}});
    CHECK(shown.at("HF_TOKEN") == "***");
    CHECK(shown.at("EMPTY_TOKEN").empty());
    CHECK(shown.at("NCCL_DEBUG") == "INFO");
}

TEST_CASE("passwords in URLs are masked, and the rest of the URL is shown")
{
    const auto shown = [](const std::string &value) { return withoutSecrets({{"ADDRESS", value}}).at("ADDRESS"); };
    CHECK(shown("postgres://me:hunter2@db:5432/runs") == "postgres://me:***@db:5432/runs");
    CHECK(shown("redis://:p@ss@host") == "redis://:***@host");
    CHECK(shown("http://host:8080/a@b:c") == "http://host:8080/a@b:c");
    CHECK(shown("ssh://me@host") == "ssh://me@host");
    CHECK(shown("https://ghp_123@host/code.git") == "https://***@host/code.git");
    CHECK(shown("amqp://a:b@one,amqp://c:d@two/x") == "amqp://a:***@one,amqp://c:***@two/x");
    CHECK(shown("no address: at all @ all") == "no address: at all @ all");
}

TEST_CASE("values of secret variables are masked in a rank's output")
{
    ::setenv("TST_INHERITED_TOKEN", "inherited-value", 1);
    const SecretValues secrets({{"API_TOKEN", "sk-12345678"},
                                {"LONGER_TOKEN", "sk-12345678-and-more"},
                                {"SHORT_TOKEN", "abcde"},
                                {"NCCL_DEBUG", "information"},
                                {"PLAIN", "from-a-file"}},
                               {"PLAIN"});
    ::unsetenv("TST_INHERITED_TOKEN");
    CHECK(secrets.masked("failed with sk-12345678, sk-12345678") == "failed with ***, ***");
    CHECK(secrets.masked("sk-12345678-and-more!") == "***!");
    CHECK(secrets.masked("abcde information") == "abcde information");
    CHECK(secrets.masked("from-a-file inherited-value") == "*** ***");
    CHECK(secrets.longest() == std::string("sk-12345678-and-more").size());
    CHECK(SecretValues().masked("sk-12345678") == "sk-12345678");
}
