import { toDate } from '@sealpost/expression'
import { PLUGIN_LIMITS as LIMITS } from '@sealpost/kernel'
import type { BlockKind, ValueType } from './manifest.ts'

export type PluginValue = string | number | boolean

/** Whether a value of an input or an output has exactly its declared type; nothing is converted. */
export function isValueOf(type: ValueType, value: unknown): value is PluginValue {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return isDateText(value)
    case 'text':
      return typeof value === 'string' && value.length <= LIMITS.textCharacters
  }
}

/** Whether a typed block may hold this value. */
export function isTypedValue(kind: Exclude<BlockKind, 'search_select'>, value: unknown): value is string | number {
  return typeof value !== 'boolean' && isValueOf(kind, value)
}

function isDateText(value: unknown): value is string {
  return typeof value === 'string' && value.length === 10 && toDate(value) !== null
}
