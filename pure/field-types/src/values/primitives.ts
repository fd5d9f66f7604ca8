import { isCalendarDate } from './calendar-date.ts'
import { countries } from './countries.ts'
import { parseJson } from './json.ts'
import { usStates } from './us-states.ts'
import type { ValueReason } from './value-reasons.ts'

/** The inputs whose plaintext is one text; an entry may have any of them except multilist. */
export const scalarInputs = ['line', 'date', 'list', 'multilist', 'country', 'nationality', 'state', 'phone'] as const
export const entryInputs = ['line', 'date', 'list', 'country', 'nationality', 'state', 'phone'] as const
export const structuredInputs = ['composite', 'file', 'pages'] as const
export type ScalarInput = (typeof scalarInputs)[number]

/** An unknown primitive of a newer platform has no rule of its own: only check and regexes apply. */
export function validatePrimitive(input: string | null, text: string, options: readonly string[]): ValueReason | null {
  const known = scalarInputs.find((name) => name === input)
  return known === undefined ? null : primitives[known](text, options)
}

const PHONE = /^\+?[0-9]{4,15}$/

const primitives = {
  line: () => null,
  date: (text) => (isCalendarDate(text) ? null : 'not_a_date'),
  list: validateChoice,
  multilist: validateChoices,
  country: validateCountry,
  nationality: validateCountry,
  state: (text) => (usStates.has(text) ? null : 'not_a_state'),
  phone: (text) => (PHONE.test(text.replaceAll(/[ \-().]/g, '')) ? null : 'not_a_phone'),
} as const satisfies Record<ScalarInput, (text: string, options: readonly string[]) => ValueReason | null>

function validateCountry(text: string): ValueReason | null {
  return countries.has(text) ? null : 'not_a_country'
}

function validateChoice(text: string, options: readonly string[]): ValueReason | null {
  if (options.length === 0) return 'no_options'
  return options.includes(text) ? null : 'not_an_option'
}

function validateChoices(text: string, options: readonly string[]): ValueReason | null {
  if (options.length === 0) return 'no_options'
  const chosen = parseJson(text)
  if (!Array.isArray(chosen) || !chosen.every((choice) => typeof choice === 'string')) return 'not_a_choice_list'
  const known = new Set(options)
  return chosen.every((choice) => known.has(choice)) ? null : 'not_an_option'
}
