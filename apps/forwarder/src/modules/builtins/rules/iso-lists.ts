import { countries } from '@sealpost/field-types'
import type { PluginFieldType, PluginQuestion } from '@sealpost/protocol'
import { currencies } from '../lists/currencies.ts'
import { languages } from '../lists/languages.ts'
import type { Builtin, Option, Reply } from '../model.ts'

const MOST_OPTIONS = 50

interface List {
  readonly label: string
  readonly codeLabel: string
  readonly codes: readonly string[]
  readonly names: Intl.DisplayNamesType
}

const LISTS: Readonly<Record<string, List>> = {
  country: { label: 'Country', codeLabel: 'ISO 3166-1 code', codes: [...countries], names: 'region' },
  currency: { label: 'Currency', codeLabel: 'ISO 4217 code', codes: currencies, names: 'currency' },
  language: { label: 'Language', codeLabel: 'ISO 639-1 code', codes: languages, names: 'language' },
}

/** A field type for each list, with one block of the same key. */
export const isoLists: Builtin = {
  description: { name: 'ISO lists', field_types: Object.entries(LISTS).map(describeList) },
  answer(question) {
    const options = optionsOf(question.field_type)
    if (options === null) return null
    return question.op === 'options' ? listOptions(options, question) : readOutputs(options, question)
  },
}

function describeList([key, { label, codeLabel }]: readonly [string, List]): PluginFieldType {
  return {
    key,
    label,
    blocks: [{ key, kind: 'search_select', label }],
    inputs: [],
    outputs: [
      { key: 'code', type: 'text', label: codeLabel },
      { key: 'name', type: 'text', label: 'Name' },
    ],
  }
}

const known = new Map<string, readonly Option[]>()

/** Made once for each list, in the order of the names. */
function optionsOf(fieldType: string): readonly Option[] | null {
  const list = Object.hasOwn(LISTS, fieldType) ? LISTS[fieldType] : undefined
  if (list === undefined) return null
  const made = known.get(fieldType) ?? makeOptions(list)
  known.set(fieldType, made)
  return made
}

function makeOptions({ codes, names }: List): readonly Option[] {
  const display = new Intl.DisplayNames('en', { type: names })
  const collator = new Intl.Collator('en')
  const options = codes.map((id) => ({ id, label: display.of(id) ?? id }))
  return options.toSorted((one, other) => collator.compare(one.label, other.label))
}

function listOptions(options: readonly Option[], { field_type, block, query = '' }: PluginQuestion): Reply | null {
  if (block !== field_type) return null
  const wanted = plainText(query.trim())
  const found = options.filter(({ id, label }) => id.toLowerCase() === wanted || plainText(label).includes(wanted))
  return { options: found.slice(0, MOST_OPTIONS), more: found.length > MOST_OPTIONS }
}

function readOutputs(options: readonly Option[], { field_type, picks }: PluginQuestion): Reply {
  const picked = Object.hasOwn(picks, field_type) ? picks[field_type] : undefined
  const option = options.find(({ id }) => id === picked)
  return option === undefined ? { picks_invalid: true } : { outputs: { code: option.id, name: option.label } }
}

/** A search for `curacao` finds Curaçao. */
function plainText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
