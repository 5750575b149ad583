// The part: what one lane (one thread's stream of events) of a recorded process leaves on disk, laid out so
// that it is complete at every instant, whatever kills the process.
//
//   header      PartHeader, mapped shared: counters and the anchors
//   journal     mapped shared: raw events and definitions since the last saved state
//   segments    written by pwrite: process information, saved states of the folders
//
// A recorded event is complete once `commit` counts it: its bytes lie in the page cache, which outlives the
// process. When the journal is full, the folders' state is written to a free place as a segment, and one
// store to `commit` makes it the live state and empties the journal: epoch + 1, used 0. The epoch's parity
// says which of the two anchors holds. When a state has grown too large it is closed for good (`closed`
// leads to it, and from there to the one before) and folding starts afresh.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace refrain::record {

constexpr uint64_t part_magic = 0x31747261706e6672;     // "rfnpart1"
constexpr uint64_t segment_magic = 0x31676573706e6672;  // "rfnpseg1"
constexpr uint64_t session_magic = 0x317373657370e672;
/// Of a part's and a session's first page, whatever the size of pages is.
constexpr size_t header_bytes = 4096;
/// What is mapped from within a file begins at a multiple of the largest page there is: ARM has 64 KiB.
constexpr size_t mapping_alignment = 64 << 10;
constexpr size_t first_journal_bytes = 256 << 10;
constexpr size_t largest_journal_bytes = 16 << 20;

/// What the journal continues: both offsets are 0 when there is nothing.
struct Anchor {
  uint64_t closed = 0;   ///< last closed segment
  uint64_t live = 0;     ///< segment with the live state
  uint64_t journal = 0;  ///< where the journal is
  uint64_t journal_bytes = 0;
};

struct PartHeader {
  uint64_t magic;
  uint64_t info;                 ///< segment with the process information
  std::atomic<uint64_t> commit;  ///< epoch << 32 | bytes of the journal in use
  Anchor anchors[2];
  std::atomic<uint64_t> events;   ///< ever recorded by this lane
  std::atomic<uint64_t> unsaved;  ///< of these, in memory only: lost if the process dies now
  std::atomic<uint64_t> lost_no_space;
  std::atomic<uint64_t> lost_in_handlers;
  std::atomic<uint64_t> lost_abandoned;
  std::atomic<uint64_t> lost_unknown;
  std::atomic<uint64_t> ending;  ///< 0 early, 1 exited, 2 replaced
  uint64_t start_ticks;          ///< of the process
  std::atomic<uint64_t> rate;    ///< nanoseconds per tick, a double's bits
  std::atomic<uint64_t> owner_pid;
  std::atomic<uint64_t> offered;      ///< closed segment up to which the ranks of `world` merged in place, if
                                      ///< they did: then the trace of the world has what it holds; 0 none
  std::atomic<uint64_t> world;        ///< tells parallel jobs of one recording apart; 0 none
  std::atomic<uint64_t> rank;         ///< in MPI_COMM_WORLD, plus one; 0: as the launcher said
  std::atomic<uint64_t> ranks;        ///< size of MPI_COMM_WORLD
  std::atomic<uint64_t> empty_tests;  ///< for requests that were not done
  uint64_t start_ns;                  ///< start_ticks since the epoch; 0: no heat map is kept
};
static_assert(sizeof(PartHeader) <= header_bytes);

struct SegmentHeader {
  uint64_t magic;
  uint64_t bytes;     ///< of the payload that follows
  uint64_t checksum;  ///< xxh3 of the payload
  uint64_t previous;  ///< closed segments: the one before
};

/// One parallel job, as its ranks on one host see it before they can speak to each other.
struct Gathering {
  std::atomic<uint64_t> job;       ///< tells them apart; 0: free
  std::atomic<uint64_t> arrived;   ///< ranks about to call MPI_Init under a recorder
  std::atomic<uint64_t> decision;  ///< see gathering.hpp
};

/// One page shared by all processes of a recording on one host; see host_page.hpp.
struct SessionPage {
  uint64_t magic;
  std::atomic<uint64_t> processes;    ///< that loaded the recorder
  std::atomic<uint64_t> unrecorded;   ///< that could not make a part
  std::atomic<uint64_t> last_error;   ///< errno of the last such failure
  std::atomic<uint64_t> other_mpi;    ///< that have an MPI library whose calls can't be recorded
  std::atomic<uint64_t> meetings;     ///< with processes that were started by MPI, or apart
  std::atomic<uint64_t> joined;       ///< recorders of this recording: one, or one per rank
  std::atomic<uint64_t> left;         ///< of these, those whose command has ended
  uint64_t description_bytes;         ///< of the text behind this page: command and settings
  uint64_t host;                      ///< whose page this is
  std::atomic<uint64_t> filtered_at;  ///< processes with so many filters of system calls (seccomp) may not be
                                      ///< recorded; 0: none
  std::atomic<uint64_t> cleared;      ///< programs started in an environment that leaves the recorder out
  std::atomic<uint64_t> unsuited;     ///< programs started that can't load the recorder
  std::atomic<uint64_t> emptied;      ///< calls that wrote more data of variable length than a trace tells
  std::atomic<uint64_t> unseen_read,
      unseen_written;                      ///< bytes that went past the hooks, by the kernel's count
  std::atomic<uint64_t> unseen_processes;  ///< whose they were
  std::atomic<uint64_t> ended;           ///< of the processes, those that said so, or became another program
  std::atomic<uint64_t> ring_processes;  ///< that had rings of io_uring at their end
  /// The files that standard output and error of the recording go to, if they are files: which of them they
  /// are says nothing about the program.
  uint64_t output_device[2], output_inode[2];
  Gathering gatherings[64];
};
static_assert(sizeof(SessionPage) <= header_bytes);

/// The journal is a row of records, each a multiple of 8 bytes.
enum class RecordKind : uint16_t {
  event = 1,
  define_template,
  define_list,
  define_signature,
  communication,
  mark
};

struct EventRecord {
  RecordKind kind;
  uint16_t streams;  ///< bit 0: outer; bit 1 + n: layer n
  uint16_t parameters;
  uint16_t layer;  ///< in whose stream it stands, in the order of api::layers
  uint32_t signature;
  uint32_t own_ticks;  ///< outer: of the gap before it, what the recorder itself took
  uint64_t start_ticks;
  uint64_t end_ticks;
  // int64_t parameters[]
};
static_assert(sizeof(EventRecord) == 32);

/// Stands before an outer event in whose gap there was communication.
struct CommunicationRecord {
  RecordKind kind;
  uint16_t unused[3];
  uint64_t ticks[3];  ///< by trace::CommunicationClass
};
static_assert(sizeof(CommunicationRecord) == 32);

/// What the process does with others; see record/process_marks.hpp.
enum class MarkKind : uint16_t {
  started,          ///< number: of the process
  awaited,          ///< likewise
  unnamed_started,  ///< number: a tag
  unnamed_ended,    ///< likewise
  pipe_written,     ///< number: of the pipe, here and below
  pipe_closed,
  pipe_read,
  pipe_ended,
  end,
};

struct MarkRecord {
  RecordKind kind;
  MarkKind what;
  uint32_t number;
  uint64_t ticks;
};
static_assert(sizeof(MarkRecord) == 16);

struct DefinitionRecord {
  RecordKind kind;
  uint16_t unused;
  uint32_t bytes;  ///< of the encoded definition that follows, padded to 8
};
static_assert(sizeof(DefinitionRecord) == 8);

constexpr size_t padded(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

}  // namespace refrain::record
