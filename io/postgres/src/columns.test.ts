import { expect, expectTypeOf, test } from 'vitest'
import { type Columns, columns } from './columns.ts'

interface Service {
  readonly id: string & { readonly brand: 'ServiceId' }
  readonly audience: 'b2b' | 'all'
  readonly codes: readonly string[]
  readonly endedAt: Date | null
  readonly card: { readonly name: string }
}

test('columns declare every member of a row, with a type that the driver reads as such', () => {
  const declared = columns<Service>({
    id: 'uuid',
    audience: 'text',
    codes: 'text[]',
    endedAt: 'timestamp?',
    card: 'json',
  })
  expectTypeOf(declared).toEqualTypeOf<Columns<Service>>()
  const misuse = () => {
    // @ts-expect-error -- a member is missing
    columns<Pick<Service, 'id' | 'card'>>({ id: 'uuid' })
    // @ts-expect-error -- there is no such member
    columns<Pick<Service, 'id'>>({ id: 'uuid', name: 'text' })
    // @ts-expect-error -- text is no number
    columns<Pick<Service, 'id'>>({ id: 'integer' })
    // @ts-expect-error -- null is not declared
    columns<Pick<Service, 'endedAt'>>({ endedAt: 'timestamp' })
    // @ts-expect-error -- null is not part of the type
    columns<Pick<Service, 'id'>>({ id: 'uuid?' })
  }
  expectTypeOf(misuse).toBeFunction()
  expect(Object.keys(declared.types)).toEqual(['id', 'audience', 'codes', 'endedAt', 'card'])
})

test('the type of an unnamed row follows from its columns', () => {
  const declared = columns({ count: 'integer', names: 'text[]', at: 'timestamp?', body: 'json' })
  expectTypeOf(declared).toEqualTypeOf<
    Columns<{
      readonly count: number
      readonly names: readonly string[]
      readonly at: Date | null
      readonly body: unknown
    }>
  >()
  expect(declared.types).toEqual({ count: 'integer', names: 'text[]', at: 'timestamp?', body: 'json' })
})
