import { accept, decline, type Result } from '@sealpost/kernel'
import Type, { type TObject, type TSchema } from 'typebox'
import { nullableText } from './scalars.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const MAX_OFFSET = 10_000
const WHOLE_NUMBER = /^[0-9]+$/

/** The query members of every list. They are text on the wire; `parsePageQuery` reads them. `shown` is for the documents. */
export const pageQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: '^0*[1-9][0-9]*$',
      description: 'Rows per page; 100 if absent, at most 500.',
      shown: { type: 'integer', minimum: 1 },
    }),
  ),
  offset: Type.Optional(
    Type.String({
      pattern: WHOLE_NUMBER.source,
      description: 'Rows to skip, at most 10000; beyond that use the cursor.',
      shown: { type: 'integer', minimum: 0, maximum: MAX_OFFSET },
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: '`next_cursor` of the previous page; takes precedence over `offset`.',
    }),
  ),
} as const

/** The answer of a list. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    total: Type.Integer({ minimum: 0 }),
    items: Type.Array(item),
    next_cursor: nullableText({ description: 'Null on the last page.' }),
  })
}

/** A list's query: its own filters beside the paging members. */
export function listQuery<Filters extends Readonly<Record<string, TSchema>>>(filters: Filters): TObject {
  return Type.Object({ ...filters, ...pageQuery })
}

export interface PageRequest {
  readonly limit: number
  /** The start of a page: after the row that a cursor names, or after a number of rows. */
  readonly from: { readonly cursor: string } | { readonly offset: number }
}

export interface PageProblem {
  readonly path: string
  readonly message: string
}

export interface PageQueryText {
  readonly limit?: string
  readonly offset?: string
  readonly cursor?: string
}

/** A limit above the maximum is clamped; every other invalid value is a problem for `request.invalid`. */
export function parsePageQuery(query: PageQueryText): Result<PageRequest, PageProblem> {
  const limit = wholeNumber(query.limit, DEFAULT_LIMIT)
  if (limit === null || limit < 1) return misfit('/limit', 'must be a whole number of at least 1')
  const offset = wholeNumber(query.offset, 0)
  if (offset === null) return misfit('/offset', 'must be a whole number')
  if (query.cursor === '') return misfit('/cursor', 'must not be empty')
  const clamped = Math.min(limit, MAX_LIMIT)
  if (query.cursor !== undefined) return accept({ limit: clamped, from: { cursor: query.cursor } })
  if (offset > MAX_OFFSET) return misfit('/offset', `must not exceed ${MAX_OFFSET}; use the cursor`)
  return accept({ limit: clamped, from: { offset } })
}

function wholeNumber(text: string | undefined, absent: number): number | null {
  if (text === undefined) return absent
  return WHOLE_NUMBER.test(text) ? Number(text) : null
}

function misfit(path: string, message: string): Result<never, PageProblem> {
  return decline({ path, message })
}
