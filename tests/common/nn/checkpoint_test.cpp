/// \file
/// \brief Models and trainings in files: they come back bit by bit, and a file that does not fit
/// is refused by name and changes nothing.
#include "common/nn/checkpoint.hpp"

#include "common/program/bad_input.hpp"
#include "common/storage/safetensors.hpp"
#include "common/tensor/check.hpp"
#include "tests/common/nn/small_training.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <limits>

using namespace attn::nn;
using namespace attn::testing;
using namespace attn;
using attn::program::BadInput;
using attn::storage::TensorFile;
using attn::storage::TensorWriter;

namespace fs = std::filesystem;

namespace {

using WithSgd = SmallTraining<Sgd<float>, float>;

bool same_parameters(const WithSgd& a, const WithSgd& b)
{
    return same_bits(a.first.value(), b.first.value()) &&
           same_bits(a.bias.value(), b.bias.value()) &&
           same_bits(a.second.value(), b.second.value());
}

/// The tensors of a model's file, to be changed one by one.
TensorWriter tensors_of(const WithSgd& model, const std::string& without = "")
{
    TensorWriter writer;
    if (without != "first.weight") {
        writer.add("first.weight", filled<float>({7, 2}, 1));
    }
    if (without != "first.bias") {
        writer.add("first.bias", model.bias.value());
    }
    if (without != "second.weight") {
        writer.add("second.weight", filled<float>({1, 7}, 1));
    }
    return writer;
}

std::string refusal(const std::function<void()>& load)
{
    const std::string said = complaint_of<BadInput>(load);
    return said.empty() ? "accepted" : said.substr(said.find(".safetensors") - 1); // no folder
}

} // namespace

TEST_CASE("a model comes back bit by bit, its matrices transposed in the file", "[nn]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "m.safetensors";
    WithSgd saved(1);
    saved.bias.value().data()[0] = -0.0f;
    saved.bias.value().data()[1] = std::numeric_limits<float>::denorm_min();
    save_model(path, saved.parameters, {{"chapter", "test"}});

    const TensorFile file = storage::read_safetensors(path);
    CHECK(file.at("first.weight").shape == Shape{7, 2});
    CHECK(file.tensor<float>("first.weight")(6, 1) == saved.first.value()(1, 6));
    CHECK(file.at("first.bias").shape == Shape{7});
    CHECK(file.metadata().at("chapter") == "test");

    WithSgd loaded(2);
    const float* const memory = loaded.first.value().data();
    load_model(path, loaded.parameters);
    CHECK(same_parameters(loaded, saved));
    CHECK(loaded.first.value().data() == memory); // the optimiser may have looked there
}

TEST_CASE("a file that does not fit the model is refused by name and changes nothing", "[nn]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "m.safetensors";
    WithSgd model(1);
    const WithSgd before(1);
    const auto complaint = [&](const TensorWriter& writer) {
        writer.write(path);
        const std::string text = refusal([&] { load_model(path, model.parameters); });
        CHECK(same_parameters(model, before));
        return text;
    };
    CHECK(complaint(tensors_of(model, "second.weight")) ==
          "m.safetensors: tensor 'second.weight' is missing; there are 'first.bias', "
          "'first.weight'");
    TensorWriter shape = tensors_of(model, "second.weight");
    shape.add("second.weight", filled<float>({7, 1}, 1));
    CHECK(complaint(shape) ==
          "m.safetensors: tensor 'second.weight': shape [1, 7] was wanted, found [7, 1]");
    TensorWriter type = tensors_of(model, "second.weight");
    type.add("second.weight", filled<double>({1, 7}, 1));
    CHECK(complaint(type) ==
          "m.safetensors: tensor 'second.weight': type F32 was wanted, found 'F64'");
    TensorWriter more = tensors_of(model);
    more.add("third.weight", filled<float>({1}, 1));
    CHECK(complaint(more) ==
          "m.safetensors: tensor 'third.weight' is there, and there is no place for it");

    TensorWriter infinite = tensors_of(model, "second.weight");
    Array<float> weights = filled<float>({1, 7}, 1);
    weights.data()[3] = -std::numeric_limits<float>::infinity();
    infinite.add("second.weight", weights);
    CHECK(complaint(infinite) ==
          "m.safetensors: tensor 'second.weight': number 4 of 7 is -inf, it must be finite");

    tensors_of(model).write(path);
    CHECK_NOTHROW(load_model(path, model.parameters));
    CHECK(model.first.value()(1, 3) == 1);
}

TEST_CASE("a checkpoint holds every kind of state, all 64 bits of it", "[nn]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "c.safetensors";
    struct Everything
    {
        Array<float> array = filled<float>({2, 2}, 0);
        Array<std::int64_t> order = filled<std::int64_t>({3}, 0);
        std::vector<double> record;
        double number = 0;
        std::int64_t counter = 0;
        random::Generator generator{1};
        State<float> list()
        {
            State<float> state;
            state.add("array", array);
            state.add("order", order);
            state.add("record", record);
            state.add("number", number);
            state.add("counter", counter);
            state.add("generator", generator);
            return state;
        }
    };
    Everything saved;
    saved.array(1, 0) = -0.0f;
    saved.order(2) = std::numeric_limits<std::int64_t>::min();
    saved.record = {1.5, -2.5};
    saved.number = 0.1;
    saved.counter = (std::int64_t{1} << 53) + 1; // no double holds it
    saved.generator.set_state({0xfedcba9876543210, 0x8000000000000001, 3, 4, 0, 0});
    saved.generator.normal();
    const WithSgd model(1);
    save_checkpoint(path, model.parameters, saved.list());

    Everything loaded;
    loaded.record = {7};
    WithSgd other(2);
    load_checkpoint(path, other.parameters, loaded.list());
    CHECK(same_parameters(other, model));
    CHECK(same_bits(loaded.array, saved.array));
    CHECK(same_bits(loaded.order, saved.order));
    CHECK(loaded.record == saved.record);
    CHECK(loaded.number == saved.number);
    CHECK(loaded.counter == saved.counter);
    CHECK(loaded.generator.state() == saved.generator.state());
    CHECK(loaded.generator.normal() == saved.generator.normal());

    // A model is read from it as well, without the training.
    WithSgd third(3);
    load_model(path, third.parameters);
    CHECK(same_parameters(third, model));
}

TEST_CASE("a checkpoint that does not fit is refused by name and changes nothing", "[nn]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "c.safetensors";
    WithSgd saved(1);
    saved.step();
    save_checkpoint(path, saved.parameters, saved.state(), {{"width", "7"}, {"depth", "2"}});

    WithSgd model(2);
    const WithSgd before(2);
    const auto complaint = [&](const State<float>& state, const Settings& settings) {
        const std::string text =
            refusal([&] { load_checkpoint(path, model.parameters, state, settings); });
        CHECK(same_parameters(model, before));
        CHECK(model.generator.state() == before.generator.state());
        return text;
    };
    CHECK(complaint(model.state(), {{"width", "8"}}) ==
          "c.safetensors: that training had width '7', this one has '8'");
    CHECK(complaint(model.state(), {{"height", "8"}}) ==
          "c.safetensors: that training had height none, this one has '8'");

    State<float> more = model.state();
    std::int64_t counter = 5;
    more.add("counter", counter);
    CHECK_THAT(complaint(more, {}), contains("tensor 'training/counter' is missing"));
    CHECK(counter == 5);

    State<float> fewer;
    fewer.add("generator", model.generator);
    CHECK_THAT(complaint(fewer, {}), contains("' is there, and there is no place for it"));

    // A generator that cannot be, and a file without any training.
    TensorWriter broken = tensors_of(model);
    broken.add("training/generator", filled<std::int64_t>({6}, 0));
    broken.write(path);
    CHECK(complaint(fewer, {}) == "c.safetensors: tensor 'training/generator' is no state of a "
                                  "random generator");
    save_model(path, saved.parameters);
    CHECK(complaint(model.state(), {}) ==
          "c.safetensors: it holds a model, but no training that could go on");

    save_checkpoint(path, saved.parameters, saved.state(), {{"width", "7"}});
    CHECK(refusal([&] {
              load_checkpoint(path, model.parameters, model.state(), {{"width", "7"}});
          }) == "accepted");
    CHECK(same_parameters(model, saved));
}

TEST_CASE("a state has no name twice, and a model no name of a training's", "[nn]")
{
    const ScratchFolder folder;
    State<float> state;
    double number = 0;
    state.add("a", number);
    CHECK_THROWS_WITH(state.add("a", number), "State: there is already one named 'a'");
    Parameters<float> parameters;
    parameters.add("training/a", autograd::parameter(filled<float>({1}, 1)));
    CHECK_THROWS_AS(save_model(folder.path() / "m", parameters), ContractError);
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a checkpoint that cannot be replaced keeps its old content", "[nn]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "c.safetensors";
    WithSgd saved(1);
    save_checkpoint(path, saved.parameters, saved.state());
    WithSgd other(2);
    {
        const FullDisk full(200);
        CHECK_THROWS_WITH(save_checkpoint(path, other.parameters, other.state()),
                          contains("cannot be written"));
    }
    load_checkpoint(path, other.parameters, other.state());
    CHECK(same_parameters(other, saved));
}
