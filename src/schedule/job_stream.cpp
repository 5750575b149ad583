// See job_stream.hpp.
#include "schedule/job_stream.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace refrain::schedule {

namespace {

/// More fields than any object of a job file has. Fields of an object are compared one by one.
constexpr size_t most_fields = 64;

/// Receives what the parser reads; each function returns whether to go on.
class Receiver {
 public:
  Receiver(std::string_view list, const std::function<void(size_t, const Json&)>& take)
      : list_(list), take_(take) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(int64_t value) { return put(value); }
  bool number_unsigned(uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(size_t) { return put(Json::object()); }
  bool start_array(size_t) { return put(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name);
  bool parse_error(size_t, const std::string&, const Json::exception& error);

  Result<Json> result() &&;

 private:
  bool is_list(const Json* value) const { return value == the_list_; }
  bool put(Json value);
  bool close();
  void hand_out();
  std::string place() const;

  std::string_view list_;
  const std::function<void(size_t, const Json&)>& take_;
  Json document_;
  const Json* the_list_ = nullptr;  ///< while it is open
  size_t elements_ = 0;             ///< of it, so far
  Json element_;                    ///< the one that is being read
  std::vector<Json*> open_;         ///< objects and lists that have begun, the innermost last
  std::string key_;                 ///< of the next value
  std::string wrong_;
  std::string where_;
};

/// Where we are: "jobs[3]".
std::string Receiver::place() const {
  bool in_list = the_list_ != nullptr && open_.size() > 2 && is_list(open_[1]);
  return in_list ? fmt::format("{}[{}]", list_, elements_) : std::string();
}

bool Receiver::key(std::string& name) {
  const Json& object = *open_.back();
  if (object.contains(name)) {
    wrong_ = "is given twice";
  } else if (object.size() == most_fields) {
    wrong_ = "is one field too many for an object";
  } else {
    key_ = std::move(name);
    return true;
  }
  where_ = place();
  where_ += (where_.empty() ? "" : ", ") + shown(name);
  return false;
}

bool Receiver::put(Json value) {
  bool opens = value.is_structured();
  Json* at = &document_;
  if (open_.empty()) {
    document_ = std::move(value);
  } else if (is_list(open_.back())) {
    element_ = std::move(value);
    at = &element_;
    if (!opens) hand_out();
  } else if (open_.back()->is_array()) {
    open_.back()->push_back(std::move(value));
    at = &open_.back()->back();
  } else {
    at = &open_.back()->emplace(key_, std::move(value)).first.value();
    if (opens && at->is_array() && open_.size() == 1 && key_ == list_) the_list_ = at;
  }
  if (opens) open_.push_back(at);
  return true;
}

bool Receiver::close() {
  bool is_element = open_.back() == &element_;
  if (is_list(open_.back())) the_list_ = nullptr;
  open_.pop_back();
  if (is_element) hand_out();
  return true;
}

void Receiver::hand_out() { take_(elements_++, element_); }

bool Receiver::parse_error(size_t, const std::string&, const Json::exception& error) {
  std::string reason = error.what();
  size_t code = reason.find("] ");  // "[json.exception.parse_error.101] parse error at line 1, ..."
  if (code != std::string::npos) reason.erase(0, code + 2);
  std::replace_if(
      reason.begin(), reason.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  wrong_ = "is not JSON: " + reason;
  return false;
}

Result<Json> Receiver::result() && {
  if (wrong_.empty()) return std::move(document_);
  return fail(ErrorKind::bad_input, wrong_, where_);
}

}  // namespace

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

Result<Json> read_json(std::string_view text, std::string_view list,
                       const std::function<void(size_t place, const Json& element)>& take) {
  Receiver receiver(list, take);
  Json::sax_parse(text, &receiver);
  return std::move(receiver).result();
}

}  // namespace refrain::schedule
