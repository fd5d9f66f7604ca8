import { expect, test } from 'vitest'
import type { MessageView } from '../../worker/commands/messages.ts'
import { unreadOf } from './boundary.ts'
import { daysOf } from './days.ts'

const message = (id: string, more: Partial<MessageView> = {}): MessageView => ({
  id,
  isOwn: false,
  isBroadcast: false,
  text: '',
  at: '2026-03-09T10:00:00Z',
  readAt: null,
  ...more,
})

test('only messages and broadcasts of the company that are not acknowledged are new', () => {
  const all = [
    message('read', { readAt: '2026-03-09T11:00:00Z' }),
    message('first'),
    message('own', { isOwn: true }),
    message('all', { isBroadcast: true }),
    message('read by all', { isBroadcast: true, readAt: '2026-03-09T11:00:00Z' }),
    message('last'),
  ]
  expect(unreadOf(all).map(({ id }) => id)).toEqual(['first', 'all', 'last'])
})

test('messages stand under their day, in their order', () => {
  const days = daysOf([message('a'), message('b'), message('c', { at: '2026-03-10T00:00:00Z' })], (at) =>
    at.slice(0, 10),
  )
  expect(days.map(({ day, messages }) => [day, messages.map(({ id }) => id)])).toEqual([
    ['2026-03-09', ['a', 'b']],
    ['2026-03-10', ['c']],
  ])
})
