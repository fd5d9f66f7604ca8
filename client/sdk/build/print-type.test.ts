import { expect, test } from 'vitest'
import { printType } from './print-type.ts'

test.each([
  [{ type: 'string', format: 'uuid' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
  [{ const: 1 }, '1'],
  [{ anyOf: [{ type: 'string' }, { const: '' }] }, 'string'],
  [{ anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'number | boolean'],
  [
    { allOf: [{ type: 'object' }, { type: 'object' }] },
    '{ readonly [name: string]: unknown } & { readonly [name: string]: unknown }',
  ],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'readonly ("a" | "b")[]'],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }, '{ readonly [name: string]: string }'],
  [{ type: 'object', properties: {}, additionalProperties: true }, '{ readonly [name: string]: unknown }'],
  [{ description: 'anything' }, 'unknown'],
])('%j is printed as %s', (schema, type) => {
  expect(printType(schema)).toBe(type)
})

test('members have their description, and a question mark unless they are required', () => {
  const properties = { a: { type: 'string', description: 'Ends a comment: */' }, 'b-c': { type: 'number' } }

  expect(printType({ type: 'object', properties, required: ['b-c'] })).toBe(
    '{\n/** Ends a comment: *\\/ */\nreadonly a?: string\nreadonly "b-c": number\n}',
  )
})

test.each([[{ $ref: '#/x' }], [{ not: {} }], [{ type: 'bigint' }], ['string'], [{ enum: [{}] }]])(
  '%j is refused',
  (schema) => {
    expect(() => printType(schema)).toThrow(TypeError)
  },
)
