/* A slot that is computed; one that isn't there can't be used. */
static inline long long slot_of(long long slot, long long count) {
  if (slot < 0 || slot >= count) stop("a handle", "there is none of this number");
  return slot;
}
