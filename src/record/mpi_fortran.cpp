// Fortran's entries to MPI. The library turns their arguments into C's and calls the PMPI_ functions, whose
// hooks record the call; from there the place in the program can't be seen any more. So these hooks remember
// it, and pass everything on as machine words: arguments are addresses, and lengths of strings behind them.
#include "record/machine_words.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"

namespace refrain::record {
namespace {

class FortranCall {
 public:
  FortranCall(const void* site, const char* frame) : lane_(enter(frame)) {
    if (lane_ == nullptr) return;
    before_ = lane_->fortran_site;
    lane_->fortran_site = site;
  }
  ~FortranCall() {
    if (lane_ != nullptr) lane_->fortran_site = before_;
  }
  FortranCall(const FortranCall&) = delete;
  FortranCall& operator=(const FortranCall&) = delete;

 private:
  Lane* lane_;
  const void* before_ = nullptr;
};

}  // namespace

// As many words as the longest of them takes: words beyond the arguments are whatever lies there.
#define RF_FORTRAN(symbol)                                    \
  RF_LIBRARY_REAL(symbol, void(RF_WORDS(13)))                 \
  RF_HOOK void hook_##symbol(RF_WORDS(13)) RF_SYMBOL(symbol); \
  void hook_##symbol(RF_WORDS(13)) {                          \
    FortranCall call(RF_SITE, RF_FRAME);                      \
    real_##symbol()(RF_WORD_NAMES(13));                       \
  }
#define FORTRAN(name) RF_FORTRAN(name##_) RF_FORTRAN(name##_f08_)
#include "api/mpi/fortran.def"
#undef FORTRAN

}  // namespace refrain::record
