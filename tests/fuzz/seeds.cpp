/// \file
/// \brief Writes the files with which the corpora of libFuzzer begin: seeds FOLDER.
#include "common/program/files.hpp"
#include "common/storage/safetensors.hpp"
#include "tests/support/byte_pair_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using namespace attn;

void write_safetensors_seeds(const fs::path& folder)
{
    storage::TensorWriter writer;
    writer.write(folder / "empty.safetensors");
    writer.add("a", array_of<float>({2, 1}, {1, 2}));
    writer.write(folder / "one.safetensors");
    writer.add("b", array_of<double>({}, {1}));
    writer.add("c", array_of<std::int64_t>({0, 3}, {}));
    writer.describe("format", "pt");
    writer.write(folder / "several.safetensors");

    // Numbers of 16 bits are read, and not written.
    const std::string header = R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                               R"("h":{"dtype":"F16","shape":[2,1],"data_offsets":[4,8]}})";
    const std::string length = static_cast<char>(header.size()) + std::string(7, '\0');
    const std::string numbers("\x80\x3f\x49\xc0\x01\0\0\xc4", 8);
    program::write_file(folder / "halves.safetensors", length + header + numbers);
}

void write_csv_seeds(const fs::path& folder)
{
    program::write_file(folder / "names.csv", "x,\"y, \"\"z\"\"\"\r\n1,2\r\n3e1,-4.5\r\n");
    program::write_file(folder / "numbers.csv", "\xef\xbb\xbf"
                                                "1, 2\n3 ,4\n\n");
}

void write_corpus_seeds(const fs::path& folder)
{
    program::write_file(folder / "two_columns.txt",
                        "I'm here.\tJe suis l\xc3\xa0.\r\nGo!\tVa\xc2\xa0!\n");
    program::write_file(folder / "three_columns.txt", "\xef\xbb\xbf"
                                                      "He's in.\tIl est l\xc3\xa0.\tCC-BY\n");
    program::write_file(folder / "notes_of_anki.txt",
                        "#separator:tab\n#html:true\n#tags column:3\n\"good<br>morning\n"
                        "dear\"\t\"\"\"bon\"\"&nbsp;jour\"\ttag\n");
    program::write_file(folder / "old_mac.txt", "Hi.\t\u4f60\u597d\uff01\rRun!\tCours\r");
    program::write_file(folder / "vocabulary.txt", "<pad>\n<s>\n</s>\n<unk>\n.\nle\nchat\n");
}

void write_byte_pairs_seeds(const fs::path& folder)
{
    const std::vector<testing::BytePair> merges = {{" ", "t"}, {" t", "h"}, {"#", "#"}};
    const std::string vocabulary = testing::vocabulary_json(merges, {"<|endoftext|>"});
    const std::string text = " I'm the  \u00e9l\u00e8ve #1:\n\n 'they\u0301'\xff";
    const std::string end_of_part(1, '\0');
    program::write_file(folder / "text.bin", text);
    program::write_file(folder / "merges.bin",
                        end_of_part + testing::merges_text(merges) + end_of_part + text);
    program::write_file(folder / "all.bin", vocabulary + end_of_part +
                                                testing::merges_text(merges) + end_of_part +
                                                text);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        return 2;
    }
    const fs::path folder = argv[1];
    write_safetensors_seeds(folder / "safetensors");
    write_csv_seeds(folder / "csv");
    write_corpus_seeds(folder / "corpus");
    write_byte_pairs_seeds(folder / "byte_pairs");
    return 0;
}
