import { expect, test } from 'vitest'
import { readAdminEmail } from './admin-email.ts'

test.each(['ops@northwind.example', 'a.b+c@x.co', 'grüße@münchen.example'])('%s is accepted', (address) => {
  expect(readAdminEmail(address)).toBe(address)
  expect(readAdminEmail(` ${address} `)).toBe(address)
})

test.each([
  undefined,
  null,
  '',
  ' ',
  'ops',
  'ops@',
  '@northwind.example',
  'ops@northwind',
  'a b@x.co',
  'a@b@x.co',
  'a@x.co, b@x.co',
  'Ops <a@x.co>',
  `${'a'.repeat(250)}@x.co`,
  7,
  {},
  ['a@x.co'],
])('%j is refused', (value) => {
  expect(readAdminEmail(value)).toBeNull()
})
