/* The value of an attribute, as it was recorded: `text:` and a string, or `hex:` and bytes. */
static inline void* kept(long long bytes, const char* value) {
  unsigned char* to = memset(scratch(bytes), 0, (size_t)(bytes > 0 ? bytes : 0));
  size_t room = bytes > 0 ? (size_t)bytes : 0, length = strlen(value);
  to_write = bytes;
  if (strncmp(value, "text:", 5) == 0) return memcpy(to, value + 5, length - 5 < room ? length - 5 : room);
  for (size_t i = 0; i < room && 4 + 2 * i + 1 < length; ++i) {
    char digits[3] = {value[4 + 2 * i], value[5 + 2 * i], 0};
    to[i] = (unsigned char)strtoul(digits, NULL, 16);
  }
  return to;
}
