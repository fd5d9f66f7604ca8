import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'

const STREAM = 'retry: 3000\nid: 1-7\n\n:\n\nid: 1-8\nevent: hint\ndata: {"kind":"message_received","id":"x"}\n\n'

test('events are the same however the stream is cut', () => {
  const whole = createEventReader().push(STREAM)
  expect(whole).toEqual([
    { id: '1-7', event: 'message', data: undefined, retryMs: 3000 },
    { id: '1-8', event: 'hint', data: '{"kind":"message_received","id":"x"}', retryMs: undefined },
  ])
  const reader = createEventReader()
  expect(STREAM.split('').flatMap((character) => reader.push(character))).toEqual(whole)
})

test('an event that never ends is refused', () => {
  expect(() => createEventReader().push('x'.repeat(70_000))).toThrow('too long')
})
