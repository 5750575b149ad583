// How often random tests are run.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REFRAIN_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REFRAIN_SANITIZED 1
#endif

namespace refrain {

/// Under sanitizers, where a round takes several times as long, a third of `rounds`.
template <class Count>
constexpr Count test_rounds(Count rounds) {
#ifdef REFRAIN_SANITIZED
  return (rounds + 2) / 3;
#else
  return rounds;
#endif
}

}  // namespace refrain
