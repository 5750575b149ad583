// provides: nowhere
static char* volatile nowhere; /* no name: the compiler must not know */
