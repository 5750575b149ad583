static _Thread_local char* last_line;
static _Thread_local size_t last_line_size;
