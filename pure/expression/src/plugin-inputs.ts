import { accept, decline, type Result } from '@sealpost/kernel'
import { isAnswered, type Lookup } from './answers.ts'
import { dateText, toDate } from './calendar.ts'
import { formatValue } from './format-value.ts'
import { toNumber } from './numbers.ts'
import type { ValueType } from './syntax.ts'

/** As the plugin's description declares it. */
export interface PluginInput {
  readonly key: string
  readonly type: ValueType
  readonly required: boolean
}

export type InputRefusal = 'unwired' | 'unanswered' | 'other_party_private' | 'not_convertible'

/**
 * The sources of inputs: the flow key that each is wired to, the values of the keys, and which must not leave the
 * party.
 */
export interface InputSource {
  readonly wiring: ReadonlyMap<string, string>
  readonly answers: Lookup
  isPrivate(key: string): boolean
}

/**
 * The inputs sent to a plugin. An optional input without a usable value is left out; a required one refuses the call.
 */
export function readPluginInputs(
  inputs: readonly PluginInput[],
  source: InputSource,
): Result<ReadonlyMap<string, unknown>, ReadonlyMap<string, InputRefusal>> {
  const values = new Map<string, unknown>()
  const refusals = new Map<string, InputRefusal>()
  for (const input of inputs) {
    const read = readPluginInput(input, source)
    if (read.ok) values.set(input.key, read.value)
    else if (input.required) refusals.set(input.key, read.refusal)
  }
  return refusals.size === 0 ? accept(values) : decline(refusals)
}

export function readPluginInput(input: PluginInput, source: InputSource): Result<unknown, InputRefusal> {
  const key = source.wiring.get(input.key)
  if (key === undefined) return decline('unwired')
  const value = source.answers.get(key)
  if (!isAnswered(value)) return decline('unanswered')
  if (source.isPrivate(key)) return decline('other_party_private')
  const converted = convertInput(input.type, value)
  return converted === null ? decline('not_convertible') : accept(converted)
}

/** Null where the value cannot be converted to that type. */
export function convertInput(type: ValueType, value: unknown): number | string | boolean | null {
  switch (type) {
    case 'number':
      return toNumber(value)
    case 'date': {
      const date = toDate(value)
      return date === null ? null : dateText(date)
    }
    case 'boolean':
      return toBoolean(value)
    case 'text':
      return formatValue(value)
  }
}

function toBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
