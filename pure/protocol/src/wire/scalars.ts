import Type, { type TUnsafe } from 'typebox'

// [Note: named schemas] A schema with a title becomes a component of that name in the OpenAPI documents, wherever it is
// used. `title` and not `$id`: a validator refuses the same `$id` at two places of one schema.

export const EXAMPLE_TEXTS = {
  uuid: '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182',
  timestamp: '2026-05-01T09:30:00.000+00:00',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  wrapper: '{"_enc":1,"k":"bXkga2V5…","iv":"AAECAwQFBgcICQoL","d":"c2VhbGVk…"}',
} as const

export const Uuid = Type.String({
  title: 'Uuid',
  format: 'uuid',
  description: 'A lower-case UUIDv7; opaque.',
  examples: [EXAMPLE_TEXTS.uuid],
})

export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'UTC with milliseconds and an explicit offset.',
  examples: [EXAMPLE_TEXTS.timestamp],
})

export const CalendarDate = Type.String({ title: 'CalendarDate', format: 'date', description: 'YYYY-MM-DD.' })

export const Sha256 = Type.String({
  title: 'Sha256',
  pattern: '^[0-9a-f]{64}$',
  description: 'A SHA-256 digest in lower-case hex.',
  examples: [EXAMPLE_TEXTS.sha256],
})

export const ShareCode = Type.String({
  title: 'ShareCode',
  description: 'The public code by which a person or company is addressed.',
  examples: ['MARAXX'],
})

/** Text or null as one type list: serializers handle that faster than a union of two schemas. */
export function nullableText(options: Readonly<Record<string, unknown>> = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
}

export function nullableBoolean(options: Readonly<Record<string, unknown>> = {}): TUnsafe<boolean | null> {
  return Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], ...options })
}

export function nullableInteger(options: Readonly<Record<string, unknown>> = {}): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], ...options })
}

/** One of the given texts, or null. */
export function nullableChoice<const Choice extends string>(choices: readonly Choice[]): TUnsafe<Choice | null> {
  return Type.Unsafe<Choice | null>({ type: ['string', 'null'], enum: [...choices, null] })
}

export const NullableUuid = nullableText({ title: 'NullableUuid', format: 'uuid', examples: [EXAMPLE_TEXTS.uuid] })
export const NullableTimestamp = nullableText({ title: 'NullableTimestamp', format: 'date-time' })
export const NullableSha256 = nullableText({
  title: 'NullableSha256',
  pattern: '^[0-9a-f]{64}$',
  examples: [EXAMPLE_TEXTS.sha256],
})
export const NullableShareCode = nullableText({
  title: 'NullableShareCode',
  description: 'Null once the account is deleted.',
  examples: ['MARAXX'],
})
