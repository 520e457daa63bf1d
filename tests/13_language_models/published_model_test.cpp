/// \file
/// \brief Models in GPT-2's published format: against golden values, whatever the type of their
/// numbers and the names of their tensors; what is refused, by its name; the program with them.
#include "chapters/13_language_models/published_model.hpp"

#include "chapters/13_language_models/experiments/experiments.hpp"
#include "chapters/13_language_models/sampling.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/storage/safetensors.hpp"
#include "tests/support/byte_pair_files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <set>

using namespace attn;
using namespace attn::language_models;
using namespace attn::testing;
using attn::program::BadInput;
using attn::program::write_file;
using attn::testing::contains;

namespace fs = std::filesystem;

namespace {

constexpr const char* golden_folder = "13_language_models";

fs::path golden_weights(const std::string& name)
{
    return fs::path(ATTN_SOURCE_DIR) / "tests/golden" / golden_folder / name /
           "model.safetensors";
}

std::vector<TokenId> golden_tokens(const std::string& name)
{
    const Array<double> numbers = golden(name, golden_folder);
    return {numbers.begin(), numbers.end()};
}

LanguageModel<float> read_model(const fs::path& weights)
{
    return read_published_model(weights, read_published_options(weights));
}

// ---------------------------------------------------------------- models of this test's own

constexpr const char* small_config = R"({"vocab_size": 260, "n_positions": 24, "n_layer": 2,
    "n_embd": 8, "n_head": 2, "activation_function": "gelu_new", "n_inner": null})";

LanguageModelOptions small_options()
{
    return published_options({small_config, "config.json"});
}

/// What changes a tensor on its way into a file, or leaves it out.
using ChangeOfTensor = std::function<bool(std::string& name, Array<float>& tensor)>;

/// Writes a random model in the published format.
void write_model(const fs::path& folder, const std::string& config = small_config,
                 const ChangeOfTensor& change = {})
{
    const LanguageModelOptions options = small_options();
    random::Generator generator(5);
    storage::TensorWriter writer;
    for (const PublishedTensor& tensor : published_tensors(options)) {
        std::string name = tensor.name;
        Array<float> numbers = uninitialised<float>(tensor.shape);
        std::generate(numbers.data(), numbers.data() + numbers.size(),
                      [&] { return static_cast<float>(generator.normal(0.0, 0.4)); });
        if (!change || change(name, numbers)) {
            writer.add(name, numbers);
        }
    }
    writer.write(folder / "model.safetensors");
    write_file(folder / "config.json", config);
}

/// Why a model is refused; nothing if it is read.
std::string refusal(const std::string& config, const ChangeOfTensor& change = {})
{
    const ScratchFolder scratch;
    write_model(scratch.path(), config, change);
    return complaint_of<BadInput>([&] { read_model(scratch.path() / "model.safetensors"); });
}

std::string with_field(const std::string& field)
{
    return std::string(small_config).insert(1, field + ", ");
}

} // namespace

// ---------------------------------------------------------------- what it computes

TEST_CASE("scores and greedy tokens are those of the published formulas", "[13]")
{
    const std::string name = GENERATE("with_prefix", "half", "bfloat", "own_head");
    CAPTURE(name);
    const LanguageModel<float> model = read_model(golden_weights(name));
    CHECK(model.options().tied == (name != "own_head"));
    const std::vector<TokenId> prompt = golden_tokens(name + ".prompt");
    const Array<double> wanted = golden(name + ".logits", golden_folder);
    const autograd::NoGradient<float> forwards;
    const Variable<float> all = model.logits(model.rows({.n_texts = 1, .tokens = prompt}));
    REQUIRE(all.size() == wanted.size());
    double largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double error =
            std::abs(static_cast<double>(all.value().data()[i]) - wanted.data()[i]);
        largest = error <= largest ? largest : error; // a nan stays
    }
    CHECK(largest <= 1e-5);

    std::vector<TokenId> text = prompt;
    random::Generator generator(1);
    const std::vector<TokenId> more =
        continue_text(model, prompt, model.options().n_positions - prompt.size(),
                      {.temperature = 0}, generator);
    text.insert(text.end(), more.begin(), more.end());
    CHECK(text == golden_tokens(name + ".text"));
}

TEST_CASE("every tensor has one place, and every parameter one tensor", "[13]")
{
    LanguageModelOptions options = small_options();
    options.tied = GENERATE(true, false);
    random::Generator generator(1);
    const LanguageModel<float> model(options, generator);
    std::set<std::string> held;
    std::size_t n_numbers = 0;
    for (const PublishedTensor& tensor : published_tensors(options)) {
        n_numbers += size_of(tensor.shape);
        for (const std::string& name : tensor.holds) {
            CHECK(held.insert(name).second);
            CHECK(model.parameters().at(name).variable.size() * tensor.holds.size() ==
                  size_of(tensor.shape));
        }
    }
    CHECK(held.size() == model.parameters().size());
    CHECK(n_numbers == model.parameters().n_numbers());
}

TEST_CASE("the fused projection holds queries, keys and values side by side", "[13]")
{
    // Numbers that say where they stood: row and column.
    const ScratchFolder scratch;
    write_model(scratch.path(), small_config, [](const std::string& name, Array<float>& x) {
        if (name == "h.1.attn.c_attn.weight") {
            for (std::size_t i = 0; i < x.size(); ++i) {
                x.data()[i] = static_cast<float>(i / 24 * 100 + i % 24);
            }
        }
        return true;
    });
    const LanguageModel<float> model = read_model(scratch.path() / "model.safetensors");
    const auto& self = model.layers()[1].self;
    std::size_t first = 0;
    for (const nn::Linear<float>* projection : {&self.W_q, &self.W_k, &self.W_v}) {
        const Array<float>& value = projection->weight.value();
        for (std::size_t i = 0; i < 8; ++i) {
            for (std::size_t j = 0; j < 8; ++j) {
                CHECK(value(i, j) == static_cast<float>(i * 100 + first + j));
            }
        }
        first += 8;
    }
}

TEST_CASE("names, masks and a copied head change nothing", "[13]")
{
    const ScratchFolder plain;
    const ScratchFolder other;
    write_model(plain.path());
    Array<float> head;
    write_model(other.path(), small_config, [&](std::string& name, const Array<float>& x) {
        head = name == "wte.weight" ? x : head;
        name.insert(0, "transformer.");
        return true;
    });
    const fs::path file = other.path() / "model.safetensors";
    storage::TensorWriter writer;
    const storage::TensorFile written = storage::read_safetensors(file);
    for (const storage::StoredTensor& tensor : written.tensors()) {
        writer.add(tensor.name, written.tensor<float>(tensor.name));
    }
    writer.add("lm_head.weight", head);
    writer.add("transformer.h.0.attn.bias", filled<double>({1, 1, 24, 24}, 1.0));
    writer.add("transformer.h.1.attn.masked_bias", filled<std::int64_t>({}, -10000));
    writer.write(file);
    const LanguageModel<float> a = read_model(plain.path() / "model.safetensors");
    const LanguageModel<float> b = read_model(file);
    CHECK(b.options().tied);
    const nn::Parameters<float> of_b = b.parameters();
    for (const nn::NamedParameter<float>& one : a.parameters()) {
        CHECK(same_bits(one.variable.value(), of_b.at(one.name).variable.value()));
    }
}

// ---------------------------------------------------------------- what is refused

TEST_CASE("a configuration that we would compute wrongly is refused by its field",
          "[13][bad_input]")
{
    const std::vector<std::pair<std::string, std::string>> refused = {
        {R"("layer_norm_epsilon": 1e-6)", "'layer_norm_epsilon' must be 1e-05, found 1e-06"},
        {R"("scale_attn_by_inverse_layer_idx": true)", "'scale_attn_by_inverse_layer_idx'"},
        {R"("scale_attn_weights": false)", "'scale_attn_weights' must be true, found false"},
        {R"("reorder_and_upcast_attn": true)", "'reorder_and_upcast_attn'"},
        {R"("add_cross_attention": true)", "'add_cross_attention'"},
        {R"("model_type": "llama")", "'model_type' must be \"gpt2\", found \"llama\""},
        {R"("n_head": 2)", "a field stands twice"}};
    for (const auto& [field, says] : refused) {
        CAPTURE(field);
        CHECK_THAT(refusal(with_field(field)), contains("config.json: " + says));
    }
    const auto without = [](const std::string& from, const std::string& to) {
        std::string config = small_config;
        return config.replace(config.find(from), from.size(), to);
    };
    CHECK_THAT(refusal(without("gelu_new", "gelu")), contains("'activation_function'"));
    CHECK_THAT(refusal(without("\"n_head\": 2", "\"n_head\": 3")), contains("must divide"));
    CHECK_THAT(refusal(without("\"n_head\"", "\"heads\"")), contains("'n_head'"));
    CHECK_THAT(refusal(without("\"n_layer\": 2", "\"n_layer\": -2")), contains("'n_layer'"));
    CHECK_THAT(refusal(without("\"n_layer\": 2", "\"n_layer\": 1e9")), contains("'n_layer'"));
    CHECK_THAT(refusal("[1, 2]"), contains("an object of JSON was wanted"));
    CHECK_THAT(refusal("no JSON"), contains("read up to byte"));
    CHECK(refusal(with_field(R"("scale_attn_weights": true, "layer_norm_epsilon": 0.00001)"))
              .empty());
}

TEST_CASE("a file that is not this model is refused by the name of a tensor", "[13][bad_input]")
{
    const auto refused = [](const ChangeOfTensor& change) {
        return refusal(small_config, change);
    };
    CHECK_THAT(refused([](const std::string& name, const Array<float>& /*x*/) {
                   return name != "h.1.mlp.c_fc.bias";
               }),
               contains("'h.1.mlp.c_fc.bias' is missing"));
    CHECK_THAT(refused([](const std::string& name, Array<float>& x) {
                   if (name == "h.0.mlp.c_fc.weight") { // as other formats keep it
                       x = Array<float>(xt::transpose(x));
                   }
                   return true;
               }),
               contains("'h.0.mlp.c_fc.weight': shape [8, 32] was wanted, found [32, 8]"));
    CHECK_THAT(refused([](const std::string& name, Array<float>& x) {
                   if (name == "h.1.mlp.c_fc.bias") {
                       x.data()[5] = std::numeric_limits<float>::quiet_NaN();
                   }
                   return true;
               }),
               contains("model.safetensors") &&
                   contains("tensor 'h.1.mlp.c_fc.bias': number 6 of 32 is nan"));
    CHECK_THAT(refused([](std::string& name, const Array<float>& /*x*/) {
                   name = name == "wpe.weight" ? "model.embed_tokens.weight" : name;
                   return true;
               }),
               contains("'wpe.weight' is missing"));
    std::string config = small_config;
    config.replace(config.find("\"n_layer\": 2"), 12, "\"n_layer\": 1");
    CHECK_THAT(refusal(config), contains("'h.1.") && contains("has no place for it"));
    CHECK_THAT(refusal(with_field("\"tie_word_embeddings\": false")),
               contains("'lm_head.weight' is missing"));
}

TEST_CASE("a file that is cut off, of another type or none, or has no config is refused",
          "[13][bad_input]")
{
    const ScratchFolder scratch;
    write_model(scratch.path());
    const fs::path file = scratch.path() / "model.safetensors";
    const std::string whole = program::read_file(file);
    const auto complaint = [&] { return complaint_of<BadInput>([&] { read_model(file); }); };
    write_file(file, whole.substr(0, whole.size() - 1));
    CHECK_THAT(complaint(), contains("cut off"));
    write_file(file, "PK\x03\x04 no model at all");
    CHECK_THAT(complaint(), contains("no safetensors file"));

    std::string other_type = whole;
    other_type.replace(other_type.find("F32"), 3, "I32"); // as many bytes
    write_file(file, other_type);
    CHECK_THAT(complaint(), contains("tensor 'h.0.attn.c_attn.bias': type F32, F16 or BF16 was "
                                     "wanted, found 'I32'"));
    write_file(file, whole);
    fs::remove(scratch.path() / "config.json");
    CHECK_THAT(complaint(), contains("config.json"));
}

// ---------------------------------------------------------------- bytes and ids

TEST_CASE("bytes go out in whole characters, and what is none at once", "[13]")
{
    CharacterStream stream;
    CHECK(stream.take("a\xf0\x9f") == "a");
    CHECK(stream.take("\x99").empty());
    CHECK(stream.take("\x82z\xc3") == "\xf0\x9f\x99\x82z");
    CHECK(stream.take("x") == "\xc3x");           // no character begins with these two
    CHECK(stream.take("\xff\x80") == "\xff\x80"); // nor with either of these
    CHECK(stream.take("\xe2\x82").empty());
    CHECK(stream.rest() == "\xe2\x82");
    CHECK(stream.rest().empty());
}

TEST_CASE("ids have blanks or commas between them", "[13]")
{
    CHECK(parse_ids("  15496, 995\n1 ", "--decode") ==
          std::vector<std::int64_t>{15496, 995, 1});
    CHECK(parse_ids("", "--decode").empty());
    CHECK_THROWS_AS(parse_ids("1 x", "--decode"), BadInput);
    CHECK_THROWS_AS(parse_ids("-1", "--decode"), BadInput);
    CHECK_THROWS_AS(parse_ids("99999999999999999999", "--decode"), BadInput);
}

// ---------------------------------------------------------------- the program

namespace {

/// A folder with a model, its vocabulary and its merges.
class ModelFolder
{
public:
    explicit ModelFolder(const std::vector<std::string>& others = {"<|endoftext|>"})
    {
        const std::vector<BytePair> merges = {{"t", "h"}, {"th", "e"}, {" ", "the"}};
        write_model(scratch_.path());
        write_file(scratch_.path() / "vocab.json", vocabulary_json(merges, others));
        write_file(scratch_.path() / "merges.txt", merges_text(merges));
    }

    ProgramRun run(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--bpe", "vocab.json", "merges.txt"});
        return run_program(ATTN_PROGRAM, arguments, scratch_.path());
    }

    ProgramRun write(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--gpt2", "model.safetensors"});
        return run(std::move(arguments));
    }

    const fs::path& path() const { return scratch_.path(); }

private:
    ScratchFolder scratch_;
};

std::size_t n_lines(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TEST_CASE("exactly as many tokens come as are asked for, on one line of ids", "[13]")
{
    const ModelFolder folder;
    for (const std::size_t n : {1U, 2U, 21U}) {
        const ProgramRun run =
            folder.write({"--prompt", "a the", "--tokens", std::to_string(n), "--ids"});
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        CHECK(n_lines(run.out) == 1);
        CHECK(parse_ids(run.out, "the output").size() == n);
    }
    // A seed draws the same again, another one others; greedy draws nothing.
    const auto ids = [&](const std::string& seed, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--prompt", "a",      "--tokens", "12",
                                              "--ids",    "--seed", seed};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return folder.write(arguments).out;
    };
    CHECK(ids("1", {}) == ids("1", {"--threads", "2"}));
    CHECK(ids("1", {}) != ids("2", {}));
    CHECK(ids("1", {"--greedy"}) == ids("2", {"--temperature", "0"}));
    CHECK(ids("1", {"--greedy"}) == ids("2", {"--top-k", "1"}));
}

TEST_CASE("words come as bytes after the prompt, with their number and speed", "[13]")
{
    const ModelFolder folder;
    const std::vector<std::string> asked = {"--prompt", "a the", "--tokens", "9", "--greedy"};
    std::vector<std::string> for_ids = asked;
    for_ids.emplace_back("--ids");
    const std::string ids = folder.write(for_ids).out;
    const ProgramRun words = folder.write(asked);
    CHECK(words.exit_code == 0);
    CHECK(words.out.starts_with("a the" + folder.run({"--decode", ids}).out + "\n"));
    CHECK_THAT(words.out, contains("9 tokens, the first after ") && contains(" a second\n"));
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 4); // no file is written

    // The heads can be explored, of the prompt's tokens.
    std::vector<std::string> exploring = asked;
    exploring.insert(exploring.end(), {"--explore", "heads.html"});
    CHECK(folder.write(exploring).exit_code == 0);
    const std::string page = attn::program::read_file(folder.path() / "heads.html");
    CHECK_THAT(page, contains(R"("query_words_0": ["a"," the"])") && contains("\"queries_0\""));

    // Without a prompt a text begins after the end of another.
    const ProgramRun unprompted = folder.write({"--tokens", "3", "--ids"});
    CHECK(unprompted.exit_code == 0);
    CHECK(parse_ids(unprompted.out, "the output").size() == 3);
}

TEST_CASE("a model whose numbers are none or too large is refused, and the page stays",
          "[13][bad_input]")
{
    const ModelFolder folder;
    write_file(folder.path() / "heads.html", "mine");
    const auto complaint = [&](const std::string& tensor, float number,
                               const std::vector<std::string>& how) {
        write_model(folder.path(), small_config, [&](const std::string& name, Array<float>& x) {
            if (name == tensor) {
                x.fill(number);
            }
            return true;
        });
        std::vector<std::string> arguments = {"--prompt", "a the", "--tokens", "3"};
        arguments.insert(arguments.end(), how.begin(), how.end());
        const ProgramRun run = folder.write(arguments);
        CHECK(run.exit_code == 2);
        CHECK(n_lines(run.err) == 1);
        CHECK(attn::program::read_file(folder.path() / "heads.html") == "mine");
        return run.err;
    };
    const std::vector<std::vector<std::string>> ways = {
        {"--greedy", "--ids"}, {"--ids"}, {"--explore", "heads.html"}};
    for (const std::vector<std::string>& how : ways) {
        CHECK_THAT(complaint("h.1.mlp.c_fc.bias", std::numeric_limits<float>::infinity(), how),
                   contains("tensor 'h.1.mlp.c_fc.bias': number 1 of 32 is inf"));
        for (const char* tensor : {"wte.weight", "h.0.mlp.c_proj.weight", "ln_f.weight"}) {
            CAPTURE(tensor);
            CHECK_THAT(complaint(tensor, 3e38F, how),
                       contains("the model's weights are too large to compute with"));
        }
    }
}

TEST_CASE("a text becomes ids on one line, and ids bytes", "[13]")
{
    const ModelFolder folder;
    CHECK(folder.run({"--encode", "a the\nthe"}).out == "97 258 10 257\n");
    CHECK(folder.run({"--decode", "97 258 10 257"}).out == "a the\nthe");
    const std::string text = "caf\xc3\xa9 \xff\xfe\t\x01 the";
    const ProgramRun ids = folder.run({"--encode=" + text});
    CHECK(ids.exit_code == 0);
    CHECK(folder.run({"--decode", ids.out}).out == text);
}

TEST_CASE("what cannot be written is refused in one sentence before weights are read",
          "[13][bad_input]")
{
    const ModelFolder folder;
    const auto check = [&](const ProgramRun& run, const std::string& says) {
        CAPTURE(run.err, says);
        CHECK(run.exit_code == 2);
        CHECK(run.out.empty());
        CHECK(n_lines(run.err) == 1);
        CHECK_THAT(run.err, contains(says));
    };
    check(folder.run({}), "--bpe: say what to do");
    check(folder.run({"--encode", "a", "--decode", "1"}), "--encode: it goes the other way");
    check(folder.run({"--encode", "a", "--prompt", "b"}), "--encode: it asks no model");
    check(folder.run({"--decode", "1", "--greedy"}), "--decode: it asks no model");
    check(folder.run({"--decode", "one"}), "--decode: 'one'");
    check(folder.run({"--decode", "260"}), "260");
    check(folder.write({"--prompt", "a", "--nanogpt"}), "--gpt2");
    check(folder.write({"--prompt", "a", "--steps", "3"}), "--gpt2");
    check(folder.write({"--trace"}), "--trace");
    check(folder.write({"--explore", "a.html"}), "--explore: it shows how a model reads");
    check(folder.run({"--encode", "a", "--explore", "a.html"}), "--encode: it asks no model");
    check(folder.write({"--prompt", "a", "--greedy", "--top-k", "2"}), "--greedy");
    const auto without_bpe = [&](const std::vector<std::string>& arguments) {
        return run_program(ATTN_PROGRAM, arguments, folder.path());
    };
    check(without_bpe({"--gpt2", "model.safetensors", "--prompt", "a"}), "--bpe");
    check(without_bpe({"--encode", "a"}), "--encode: the model's tokens are missing");
    check(without_bpe({"--bpe", "vocab.json"}), "--bpe: a value is missing");
    check(without_bpe({"--bpe", "nothing.json", "merges.txt", "--encode", "a"}),
          "nothing.json");
    check(ModelFolder(std::vector<std::string>{}).write({"--prompt", "a"}),
          "there are 259 tokens, and the model has 260");
    check(ModelFolder({"more"}).write({"--tokens", "2"}), "--prompt: it is missing");

    // The weights are no model at all: what is too long is said first.
    write_file(folder.path() / "model.safetensors", "nothing");
    check(folder.write({"--prompt", "a the", "--tokens", "23"}),
          "--tokens: the prompt's 2 tokens and 23 more are more than the model's 24 positions");
    check(folder.write({"--prompt", "a", "--tokens", "3"}), "no safetensors file");
    check(folder.write({"--prompt", "a"}), "24 positions"); // 200 if nothing is said
}
