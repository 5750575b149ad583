/* Requests that change nothing but the file itself, or nothing at all. Others could do anything: freeze a
 * file system, change a device; and what they take isn't recorded. */
static inline int is_harmless_request(unsigned long request) {
  const unsigned long harmless[] = {
      _IOW(0x94, 9, int),       /* FICLONE */
      _IOW(0x94, 13, char[32]), /* FICLONERANGE */
      _IO(0x00, 2),             /* FIGETBSZ */
      _IOR('f', 1, long),       /* FS_IOC_GETFLAGS */
      _IOR('v', 1, long),       /* FS_IOC_GETVERSION */
      _IOR('X', 31, char[28]),  /* FS_IOC_FSGETXATTR */
      _IOWR('f', 11, char[32]), /* FS_IOC_FIEMAP */
      0x5460,                   /* FIOQSIZE */
      FIONREAD,
      FIOCLEX,
      FIONCLEX,
      TCGETS,
      TIOCGWINSZ,
  };
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; ++i)
    if ((request & 0xffffffff) == harmless[i]) return 1;
  return 0;
}
static inline int is_device(mode_t mode) { return S_ISCHR(mode) || S_ISBLK(mode); }
