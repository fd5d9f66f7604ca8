/** Why a row is refused, in a sentence for the operator who wrote it. */
export const rowReasons = {
  row_malformed: 'A row is a JSON object; write it as {"type": …, "parent": …, "label": …}.',
  member_unknown: 'No column has this name; check its spelling.',
  column_malformed: 'This column holds the wrong kind of JSON value; texts are strings, options and fields are lists.',
  type_invalid: 'A type name has 1 to 40 characters of a-z, 0-9 and _.',
  type_reserved: 'The name plugin is reserved for answers that come from plugins; choose another.',
  type_taken: 'A type of this name exists, and names never change; choose another.',
  label_missing: 'Give the type a label: it is the text that people see.',
  system_reserved: 'Only the platform itself adds system types; leave is_system out or false.',
  parent_unknown: 'There is no type of this name; add the parent first, or in the same call.',
  parent_cycle: 'The type would be its own ancestor; choose a parent outside its own descendants.',
  input_missing: 'Neither the row nor an ancestor names an input; name one.',
  lane_missing: 'Neither the row nor an ancestor names a lane; use inline, photo or document.',
  lane_mismatch: 'Files live on the photo or document lane, pages on document, everything else on inline.',
  lane_unlike_parent:
    'A slot of the parent also accepts this type: a file cannot descend from a text, nor a text from a file.',
  check_unknown: 'There is no check of this name.',
  check_mismatch: 'The check pdf applies to files and every other check to texts; it does not fit this input.',
  options_invalid: 'Options are distinct, non-empty texts.',
  options_missing: 'A list among the fields needs its own options: there is no other source for them.',
  fields_missing: 'A composite needs at least one field.',
  key_invalid: 'A field key has 1 to 40 characters of a-z, 0-9 and _.',
  key_taken: 'Another field of this type has the same key.',
  key_reserved: 'The envelope of a file already has a member of this name; choose another key.',
  field_input_unknown: 'A field is a line, date, list, country, nationality, state or phone.',
  pattern_too_long: 'A regex has at most 200 characters.',
  pattern_outside_subset:
    'The regex is not in the common subset of ECMAScript (flag u) and RE2: no look-around, back-reference or inline flag.',
  pattern_too_large: 'With its counted repeats written out the regex is longer than 2,048 parts; use smaller counts.',
} as const satisfies Record<string, string>

export type RowReason = keyof typeof rowReasons
