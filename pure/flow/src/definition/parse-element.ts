import type {
  FieldElement,
  FieldOption,
  FlowElement,
  ImageElement,
  PluginElement,
  PluginUse,
  TextElement,
} from './definition.ts'
import { DEFINITION_LIMITS as LIMITS } from './limits.ts'
import { readSnapshot } from './parse-snapshot.ts'
import { pointer, type JsonPointer } from './pointer.ts'
import {
  isAbsent,
  member,
  note,
  present,
  readAny,
  readFlag,
  readKey,
  readList,
  readMembers,
  readOneOfOr,
  readPositiveOr,
  readText,
  readTextOr,
  textAt,
  type Members,
  type Notes,
} from './reading.ts'

export function readElement(notes: Notes, value: unknown, at: JsonPointer): FlowElement {
  const from = readMembers(notes, value, at)
  const kind = readText(from, 'kind', LIMITS.nameCharacters)
  switch (kind) {
    case 'field':
      return readField(from)
    case 'text':
      return readTextElement(from)
    case 'image':
      return readImage(from)
    case 'plugin':
      return readPlugin(from)
    default:
      return present({ kind: 'unrecognised' as const, written_kind: kind, show_if: readAny(from, 'show_if') })
  }
}

function readField(from: Members): FieldElement {
  return present({
    kind: 'field' as const,
    slug: readKey(from, 'slug'),
    field_type: readText(from, 'field_type', LIMITS.nameCharacters),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    required: readFlag(from, 'required'),
    show_if: readAny(from, 'show_if'),
    help: readTextOr(from, 'help', LIMITS.textCharacters, undefined),
    options: readOptions(from),
    link: readOneOfOr(from, 'link', ['none', 'allowed', 'connected', 'verified'], undefined),
    verified_max_age_days: readPositiveOr(from, 'verified_max_age_days', undefined),
    default: readAny(from, 'default'),
    min: readAny(from, 'min'),
    max: readAny(from, 'max'),
    max_mb: readPositiveOr(from, 'max_mb', undefined),
  })
}

function readOptions(from: Members): readonly FieldOption[] | undefined {
  const options = readList(from, 'options', LIMITS.optionsPerField, readOption)
  return isAbsent(member(from, 'options')) ? undefined : options
}

function readOption(notes: Notes, value: unknown, at: JsonPointer): FieldOption {
  const from = readMembers(notes, value, at)
  const option = readText(from, 'value', LIMITS.labelCharacters)
  return present({
    value: option,
    label: readTextOr(from, 'label', LIMITS.labelCharacters, option),
    available_if: readAny(from, 'available_if'),
  })
}

function readTextElement(from: Members): TextElement {
  const written = ['body', 'text', 'label'].find((name) => !isAbsent(member(from, name)))
  return present({
    kind: 'text' as const,
    body: written === undefined ? '' : readText(from, written, LIMITS.textCharacters),
    show_if: readAny(from, 'show_if'),
  })
}

function readImage(from: Members): ImageElement {
  return present({
    kind: 'image' as const,
    asset_key: readText(from, 'asset_key', LIMITS.nameCharacters),
    alt: readTextOr(from, 'alt', LIMITS.labelCharacters, ''),
    show_if: readAny(from, 'show_if'),
  })
}

function readPlugin(from: Members): PluginElement {
  return present({
    kind: 'plugin' as const,
    slug: readKey(from, 'slug'),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    required: readFlag(from, 'required'),
    show_if: readAny(from, 'show_if'),
    plugin: readPluginUse(readMembers(from.notes, member(from, 'plugin'), pointer(from.at, 'plugin'))),
  })
}

function readPluginUse(from: Members): PluginUse {
  const snapshot = member(from, 'snapshot')
  return present({
    plugin_id: readText(from, 'plugin_id', LIMITS.nameCharacters),
    field_type: readText(from, 'field_type', LIMITS.nameCharacters),
    snapshot: isAbsent(snapshot) ? undefined : readSnapshot(from.notes, snapshot, pointer(from.at, 'snapshot')),
    inputs: readInputs(from),
  })
}

function readInputs(from: Members): Readonly<Record<string, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without a prototype has no typed maker
  const inputs = Object.create(null) as Record<string, string>
  const written = member(from, 'inputs')
  if (isAbsent(written)) return inputs
  const at = pointer(from.at, 'inputs')
  const wired = Object.entries(readMembers(from.notes, written, at).object)
  if (wired.length > LIMITS.pluginMembers) note(from.notes, at, `must have at most ${LIMITS.pluginMembers} entries`)
  for (const [input, key] of wired.slice(0, LIMITS.pluginMembers)) {
    if (!isAbsent(key)) inputs[input] = textAt(from.notes, key, pointer(at, input), LIMITS.nameCharacters)
  }
  return inputs
}
