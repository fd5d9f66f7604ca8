import { type Answers, answersFrom } from '@sealpost/expression'
import { isPdf, parseDataUri } from '@sealpost/field-types'

/** The map of slugs to plaintext; null for anything else. */
export function readValues(text: string): Answers | null {
  const parsed = parse(text)
  return isRecord(parsed) ? answersFrom(parsed) : null
}

/** The PDF in the envelope of a participant's file; null for anything else. */
export function readEnvelope(text: string): Uint8Array | null {
  const parsed = parse(text)
  const file = isRecord(parsed) ? parsed['file'] : null
  const uri = typeof file === 'string' ? parseDataUri(file) : null
  if (uri === null) return null
  const bytes = Buffer.from(uri.base64, 'base64')
  return isPdf(uri.mimeType, bytes) ? bytes : null
}

export function isSameSet(one: readonly string[], other: Iterable<string>): boolean {
  const others = new Set(other)
  return one.length === others.size && one.every((key) => others.has(key))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
