import { type Answers, formatValue, isAnswered } from '@sealpost/expression'
import { type Registry, resolveType } from '@sealpost/field-types'
import type { Definition } from '../definition/definition.ts'
import { availableAt } from '../graph/availability.ts'
import { answerElements } from '../graph/flow-keys.ts'

/**
 * What the templates of a leaf print for each key that can be read there; a key without text prints empty. `values` are all
 * values of the run, constants included. `wanted`: the keys that the templates name; null for all.
 */
export function tagTexts(
  definition: Definition,
  leafKey: string,
  values: Answers,
  types: Registry,
  wanted: ReadonlySet<string> | null = null,
): ReadonlyMap<string, string> {
  const fieldTypes = new Map<string, string>()
  for (const element of definition.nodes.flatMap(answerElements))
    if (element.kind === 'field') fieldTypes.set(element.slug, element.field_type)
  const texts = new Map<string, string>()
  for (const key of availableAt(definition, leafKey)) {
    if (wanted?.has(key) === false) continue
    const value = values.get(key)
    const type = fieldTypes.get(key)
    if (isAnswered(value)) texts.set(key, type === undefined ? formatValue(value) : printAnswer(types, type, value))
  }
  return texts
}

/** A choice of several and the parts of a composite stand on one line; a file has no text. */
function printAnswer(types: Registry, fieldType: string, value: unknown): string {
  const { input, lane, fields } = resolveType(types, fieldType)
  if (lane !== null && lane !== 'inline') return ''
  if (input === 'multilist') return printList(value)
  return input === 'composite' ? printParts(value, fields?.map(({ key }) => key) ?? []) : formatValue(value)
}

function printList(value: unknown): string {
  const list = parsed(value)
  return Array.isArray(list) ? join(list.map(formatValue)) : formatValue(value)
}

/** In the order of the type, whatever the order of the members is; an address by its lines. */
function printParts(value: unknown, keys: readonly string[]): string {
  const parts = parsed(value)
  if (typeof parts !== 'object' || parts === null) return formatValue(value)
  const members = new Map<string, unknown>(Object.entries(parts))
  const lines = keys.includes('street') ? ADDRESS_LINES : keys.map((key) => [key])
  return join(
    lines.map((line) =>
      join(
        line.map((key) => formatValue(members.get(key))),
        ' ',
      ),
    ),
  )
}

/** The members that stand together on one line of an address. */
const ADDRESS_LINES = [['street', 'building_number', 'affix'], ['postal_code', 'city'], ['state'], ['country']] as const

function join(texts: readonly string[], separator = ', '): string {
  return texts.filter((text) => text.trim() !== '').join(separator)
}

/** Values that are no text are sent as their JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
