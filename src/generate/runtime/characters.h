/* Through variables, because headers may replace these functions by others. */
static int (*volatile get_character)(void) = getchar;
static int (*volatile put_character)(int) = putchar;
