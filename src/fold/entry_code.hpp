// Entries of the residue as bytes: in saved states, and while folding rests. Reading accepts any bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "fold/residue.hpp"

namespace refrain::fold {

constexpr uint64_t most_events = uint64_t{1} << 60;

/// Single events are written raw, whether or not they have been made nodes.
void save_entry(ByteWriter& out, const Residue& residue, const Residue::Entry& entry);
void save_event(ByteWriter& out, uint32_t signature, const int64_t* parameters, uint32_t count,
                const Times& times);

class EntryReader {
 public:
  /// Signatures are those that `residue` knows.
  EntryReader(ByteReader& in, const Residue& residue) : in_(in), residue_(residue) {}

  /// Reads the next entry; false, and `in` says why, if there is none.
  bool next();
  Owned node;  ///< nullptr: it is a single event, namely
  uint32_t signature = 0;
  std::vector<int64_t> values;
  Times times;

 private:
  Owned read_node(uint8_t kind, uint32_t height_left);
  Owned read_event();
  Owned read_loop(uint8_t kind, uint32_t height_left);

  ByteReader& in_;
  const Residue& residue_;
  trace::Communication communication_;
};

}  // namespace refrain::fold
