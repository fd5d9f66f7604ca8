import { expect, test } from 'vitest'
import { missingLike } from './strangers.ts'

test.each([
  ['019a1b2c-0000-7000-8000-0123456789ab', '019a0000-0000-7000-8000-00000000dead'],
  ['rf_019a1b2c-0000-7000-8000-0123456789ab', 'rf_019a0000-0000-7000-8000-00000000dead'],
  ['acct_AbCdEfGhIjKlMnOpQrStUvWx', 'acct_NobodyHasThisClientId000'],
  ['NRTHWD', 'ZZZZZZ'],
])('an id like %s that nobody has is %s', (id, missing) => {
  expect(missingLike(id)).toBe(missing)
  expect(missing).toHaveLength(id.length)
})

test('an id of a new form asks to be taught', () => {
  expect(() => missingLike('something else')).toThrow('teach e2e/src/matrix/strangers.ts')
})
