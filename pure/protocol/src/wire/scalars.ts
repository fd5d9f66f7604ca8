import Type, { type TUnsafe } from 'typebox'

// [Note: named schemas] A schema with a title becomes a component of that name in the OpenAPI documents, wherever it is
// used. `title` and not `$id`: a validator refuses the same `$id` at two places of one schema.

export const Uuid = Type.String({
  title: 'Uuid',
  format: 'uuid',
  description: 'A lower-case UUIDv7; opaque.',
  examples: ['0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'],
})

export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'UTC with milliseconds and an explicit offset.',
  examples: ['2026-05-01T09:30:00.000+00:00'],
})

export const CalendarDate = Type.String({ title: 'CalendarDate', format: 'date', description: 'YYYY-MM-DD.' })

export const Sha256 = Type.String({
  title: 'Sha256',
  pattern: '^[0-9a-f]{64}$',
  description: 'A SHA-256 digest in lower-case hex.',
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
})

export const ShareCode = Type.String({
  title: 'ShareCode',
  description: 'The public code by which a person or company is addressed.',
})

/** Text or null as one type list: serializers handle that faster than a union of two schemas. */
export function nullableText(options: Readonly<Record<string, unknown>> = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
}

export function nullableBoolean(options: Readonly<Record<string, unknown>> = {}): TUnsafe<boolean | null> {
  return Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], ...options })
}

/** One of the given texts, or null. */
export function nullableChoice<const Choice extends string>(choices: readonly Choice[]): TUnsafe<Choice | null> {
  return Type.Unsafe<Choice | null>({ type: ['string', 'null'], enum: [...choices, null] })
}

export const NullableUuid = nullableText({ title: 'NullableUuid', format: 'uuid' })
export const NullableTimestamp = nullableText({ title: 'NullableTimestamp', format: 'date-time' })
export const NullableSha256 = nullableText({ title: 'NullableSha256', pattern: '^[0-9a-f]{64}$' })
export const NullableShareCode = nullableText({
  title: 'NullableShareCode',
  description: 'Null once the account is deleted.',
})
