import { buildRegistry, resolveType, seedRows } from '@sealpost/field-types'
import type { FieldId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { findPlatformField, isPlatformSlug, platformFields } from './platform-fields.ts'

const idOf = (tail: string) => `018f0000-0000-7000-8000-${tail}` as FieldId

/** Values and mappings of installed regions refer to these ids: a field keeps its number and its slug for good. */
const NUMBERS = {
  any: 'email:3 phone:4 address:5 bank:17 creditcard:18 website:19 billing_address:24',
  person:
    'first_name:1 last_name:2 date_of_birth:6 place_of_birth:7 gender:8 nationality:9 personal_number:10 photo:11 ' +
    'passport:12 id_card:13 drivers_license:14 residence_permit:15 proof_of_address:16 country_of_residence:27',
  company:
    'company_name:20 vat_number:21 chamber_number:22 logo:23 billing_email:25 contact_person:26 company_country:28 ' +
    'company_registration:29',
}

test.each(Object.entries(NUMBERS))('the fields for %s keep their numbers', (usertype, expected) => {
  const fields = platformFields.filter((field) => field.usertype === usertype)
  const numbered = fields.map(({ slug, id }) => `${slug}:${Number.parseInt(id.slice(-12), 16)}`)
  expect(numbered.join(' ')).toBe(expected)
})

test('ids are those of the platform, in hex and padded', () => {
  expect(findPlatformField(idOf('000000000003'))).toMatchObject({ slug: 'email', isSystem: true, owner: null })
  expect(findPlatformField(idOf('00000000001d'))?.slug).toBe('company_registration')
  expect(findPlatformField(idOf('00000000001e'))).toBeNull()
  expect(findPlatformField(idOf('000000000000'))).toBeNull()
})

test('every field has a type of the registry, and a slug of its own', () => {
  const registry = buildRegistry(seedRows)
  for (const { type } of platformFields) expect(resolveType(registry, type).lane).not.toBeNull()
  expect(new Set(platformFields.map(({ slug }) => slug)).size).toBe(platformFields.length)
  expect(platformFields.every(({ slug }) => isPlatformSlug(slug))).toBe(true)
  expect(isPlatformSlug('shoe_size')).toBe(false)
})

test.each([
  ['photo', 'photo'],
  ['logo', 'photo'],
  ['passport', 'document'],
  ['id_card', 'document'],
  ['drivers_license', 'document'],
  ['residence_permit', 'document'],
  ['proof_of_address', 'document'],
  ['company_registration', 'document'],
  ['email', 'inline'],
])('%s is in the lane %s', (slug, lane) => {
  const field = platformFields.find((its) => its.slug === slug)
  expect(resolveType(buildRegistry(seedRows), field?.type ?? '').lane).toBe(lane)
})
