import { applyCheck, type TypeDefinition } from '@sealpost/field-types'
import type { TypedValue } from './typed-value.ts'

const NUMBERS = new Set(['number', 'integer', 'decimal', 'float'])

/** Never fails: a device may seal any text, and a text that does not fit its type is still the person's answer. */
export function parsePlaintext({ input, check }: Pick<TypeDefinition, 'input' | 'check'>, text: string): TypedValue {
  if (input === 'composite') return partsOf(text) ?? { kind: 'text', value: text }
  if (input === 'multilist') return choicesOf(text) ?? { kind: 'text', value: text }
  if (check !== null && NUMBERS.has(check)) return numberOf(check, text) ?? { kind: 'text', value: text }
  return { kind: 'text', value: text }
}

function partsOf(text: string): TypedValue | null {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  const parts = Object.entries(parsed).map(([key, part]: [string, unknown]) => [key, part] as const)
  const texts = parts.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string')
  return texts.length === parts.length ? { kind: 'parts', value: Object.fromEntries(texts) } : null
}

function choicesOf(text: string): TypedValue | null {
  const parsed = parseJson(text)
  if (!Array.isArray(parsed) || !parsed.every((choice) => typeof choice === 'string')) return null
  return { kind: 'choices', value: parsed }
}

/** An integer beyond the safe range of JavaScript stays text. */
function numberOf(check: string, text: string): TypedValue | null {
  const checked = applyCheck(check, text)
  if (!checked.ok || text === '') return null
  const value = Number(checked.value)
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return isExact ? { kind: 'number', value } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
