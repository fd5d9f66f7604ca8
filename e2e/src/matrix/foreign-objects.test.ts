import { expect, test } from 'vitest'
import { missingLike } from './foreign-objects.ts'

test.each([
  ['019a1b2c-0000-7000-8000-0123456789ab', '019a0000-0000-7000-8000-00000000dead'],
  ['rf_019a1b2c-0000-7000-8000-0123456789ab', 'rf_019a0000-0000-7000-8000-00000000dead'],
  ['acct_AbCdEfGhIjKlMnOpQrStUvWx', 'acct_MissingClientId000000000'],
  ['NRTHWD', 'ZZZZZZ'],
])('the missing id for %s is %s', (id, missing) => {
  expect(missingLike(id)).toBe(missing)
  expect(missing).toHaveLength(id.length)
})

test('an id of an unknown form throws', () => {
  expect(() => missingLike('something else')).toThrow('missingLike in e2e/src/matrix/foreign-objects.ts')
})
