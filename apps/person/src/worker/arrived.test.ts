import { expect, test } from 'vitest'
import { arrivedKeys } from './arrived.ts'

test('a message that the platform has is known by its own copy, not by its text', () => {
  const outgoing = [
    { key: 'first', own: 'sealed-1' },
    { key: 'second', own: 'sealed-2' },
  ]
  expect(arrivedKeys(outgoing, [{ body: 'sealed-2' }, { body: null }, { body: 'sealed-3' }])).toEqual(['second'])
  expect(arrivedKeys(outgoing, [])).toEqual([])
})
