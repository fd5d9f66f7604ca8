import { buildRegistry, seedRows } from '@sealpost/field-types'
import { parseUuid } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { mayFill, slugFor } from './fields.ts'
import { platformFields } from './platform-fields.ts'

const SLUG = /^[a-z][a-z0-9_]{0,63}$/

describe('a slug', () => {
  test.each([
    ['Shoe size', 'shoe_size'],
    ['  Año  de   alta ', 'ano_de_alta'],
    ['2nd floor', 'nd_floor'],
    ['日本語', 'field'],
    ['Email', 'email_2'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('of %j is %s', (label, slug) => {
    expect(slugFor(label, new Set())).toBe(slug)
    expect(slug).toMatch(SLUG)
  })

  test('is told apart from those that are taken, however long it is', () => {
    const taken = new Set<string>()
    for (let turn = 0; turn < 20; turn += 1) {
      const slug = slugFor('y'.repeat(80), taken)
      expect(slug).toMatch(SLUG)
      expect(taken.has(slug)).toBe(false)
      taken.add(slug)
    }
  })
})

test('a field is filled by the kind of profile that it names', () => {
  const allowed = (usertype: 'person' | 'company' | 'any') => [
    mayFill({ usertype }, 'person'),
    mayFill({ usertype }, 'company'),
  ]
  expect([allowed('person'), allowed('company'), allowed('any')]).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ])
})

describe('the fields of the platform', () => {
  test('have ids and slugs of their own, in the order of ids, and types of the platform', () => {
    const { nodes } = buildRegistry(seedRows)
    const ids = platformFields.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted())
    expect(new Set(platformFields.map(({ slug }) => slug)).size).toBe(platformFields.length)
    for (const { id, slug, type, label } of platformFields) {
      expect(parseUuid(id)).toBe(id)
      expect(slug).toMatch(SLUG)
      expect(nodes.has(type)).toBe(true)
      expect(label).not.toBe('')
    }
  })

  test('keep their ids for ever: values in every region name them', () => {
    const named = Object.fromEntries(platformFields.map(({ slug, id }) => [slug, id.slice(-2)]))
    expect(named).toMatchObject({ first_name: '01', email: '03', address: '05', photo: '0b', company_name: '14' })
  })
})
