import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

test('no way of printing shows a secret', () => {
  const secret = new Secret('hunter2')
  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
    JSON.stringify(Object.entries(secret)),
    new Error(`failed with ${secret}`).stack ?? '',
  ]
  expect(shown.filter((text) => text.includes('hunter2'))).toEqual([])
  expect(secret.reveal()).toBe('hunter2')
})
