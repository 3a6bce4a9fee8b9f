#include "known_names.hpp"

namespace treescore {

KnownNames::Meaning& KnownNames::meaning(std::string_view name) {
  const uint32_t id = intern(names_, name);
  if (id >= meanings_.size()) meanings_.resize(id + size_t{1});
  return meanings_[id];
}

void KnownNames::learn(std::string_view name, std::string_view label, uint8_t label_deleted, std::string_view tag,
                       uint8_t tag_flags) {
  const uint32_t label_text = intern(texts_, label), tag_text = intern(texts_, tag);
  meaning(name) = {true, label_deleted, tag_flags, label_text, tag_text};
}

void KnownNames::append_unknown(const Vocabulary& vocabulary, std::vector<std::string_view>& out) {
  for (uint32_t id = 0; id < vocabulary.size(); ++id)
    if (!meaning(vocabulary.at(id)).is_known) out.push_back(vocabulary.at(id));
}

uint32_t KnownNames::Keys::key(uint32_t text, std::vector<uint32_t>& texts) {
  if (text >= of_text.size()) of_text.resize(text + size_t{1}, kNone);
  uint32_t& found = of_text[text];
  if (found == kNone) {
    found = static_cast<uint32_t>(texts.size());
    texts.push_back(text);
  }
  return found;
}

void KnownNames::Keys::forget(const std::vector<uint32_t>& texts) {
  for (const uint32_t text : texts) of_text[text] = kNone;
}

bool KnownNames::add_side(const Vocabulary& vocabulary, NamedRules& out, SideRules& side) {
  const uint32_t size = vocabulary.size();
  side.label_key.resize(size);
  side.label_deleted.resize(size);
  side.tag_key.resize(size);
  side.tag_flags.resize(size);
  for (uint32_t id = 0; id < size; ++id) {
    const Meaning& found = meaning(vocabulary.at(id));
    if (!found.is_known) return false;
    side.label_key[id] = label_keys_.key(found.label, out.labels);
    side.label_deleted[id] = found.label_deleted;
    side.sets_aside |= (found.tag_flags & SideRules::kAside) != 0;
    side.deletes_phrases |= found.label_deleted == SideRules::kDeletedWithWords;
    side.tag_key[id] = tags_are_labels_ ? label_keys_.key(found.tag, out.labels) : tag_keys_.key(found.tag, out.tags);
    side.tag_flags[id] = found.tag_flags;
  }
  return true;
}

bool KnownNames::rules(const Vocabulary& gold, const Vocabulary& test, NamedRules& out) {
  const bool all_known = add_side(gold, out, out.gold) && add_side(test, out, out.test);
  out.gold.labelled = out.test.labelled = labelled_;
  out.gold.outer_labels = out.test.outer_labels = outer_labels_;
  label_keys_.forget(out.labels);
  tag_keys_.forget(out.tags);
  if (tags_are_labels_) out.tags = out.labels;
  return all_known;
}

}  // namespace treescore
