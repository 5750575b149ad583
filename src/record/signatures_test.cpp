#include "record/signatures.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace refrain::record {
namespace {

using Words = std::vector<uint64_t>;

uint32_t find(const SignatureTable& table, const Words& words) {
  return table.find(words.data(), static_cast<uint32_t>(words.size()));
}

Words guessed(const SignatureTable& table, const Words& words) {
  auto guess = table.guess(words[0], words[1]);
  return {guess.words, guess.words + guess.count};
}

TEST(Signatures, GuessesWhatWasFoundLast) {
  SignatureTable table;
  Words read{1, 0x400, 7}, failed{1, 0x400, 8, 9};
  EXPECT_EQ(find(table, read), SignatureTable::none);
  EXPECT_TRUE(guessed(table, read).empty());
  table.insert(read.data(), 3, 0);
  table.insert(failed.data(), 4, 1);
  EXPECT_EQ(find(table, read), 0u);
  EXPECT_EQ(guessed(table, read), read);
  EXPECT_EQ(guessed(table, failed), read);
  EXPECT_EQ(find(table, failed), 1u);
  EXPECT_EQ(guessed(table, read), failed);
  EXPECT_EQ(table.guess(1, 0x400).signature, 1u);
}

TEST(Signatures, AGuessCanBeReadAsFarAsWordsMayGo) {
  SignatureTable table;
  std::mt19937_64 random(3);
  for (uint32_t n = 0; n < 500; ++n) {
    Words words(2 + random() % (SignatureTable::max_words - 1));
    for (uint64_t& word : words) word = random();
    for (bool known : {false, true}) {
      auto guess = table.guess(words[0], words[1]);
      uint64_t all = 0;
      for (uint32_t i = 0; i < SignatureTable::max_words; ++i)
        all |= guess.words[i];  // the sanitizer looks on
      EXPECT_TRUE(guess.count == 0 || all != 0);
      if (known) {
        EXPECT_EQ(guessed(table, words), words);
        break;
      }
      EXPECT_EQ(find(table, words), SignatureTable::none);
      table.insert(words.data(), static_cast<uint32_t>(words.size()), n);
      EXPECT_EQ(find(table, words), n);
    }
  }
}

}  // namespace
}  // namespace refrain::record
