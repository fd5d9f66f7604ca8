import { expect, test } from 'vitest'
import { type CarriedTell, decodeTell, encodeTell } from './wire.ts'

test('a tell round-trips, whatever its body holds', () => {
  const tell: CarriedTell = {
    fromLife: 1,
    toLife: 2,
    key: 'k',
    incarnation: 1,
    seq: 3,
    id: 'id',
    previousId: null,
    attempt: 4,
    kind: 'test.note',
    version: 1,
    body: '{"text":"line\\nbreak, ümlaut\n and a raw one"}',
    attachment: { objectKey: 'o', sha256: 's', bytes: 5, url: 'http://127.0.0.1/o' },
    traceparent: null,
  }
  expect(decodeTell(encodeTell(tell))).toEqual(tell)
})

test('a message in another format is refused', () => {
  expect(() => decodeTell(new TextEncoder().encode('hello'))).toThrow('no envelope')
})
