import { expect, test } from 'vitest'
import { noticeOf } from './notice.ts'

const ID = '019a0000-0000-7000-8000-00000000aaaa'

test('a notice says the kind in the language of the device, and its tag is the id', () => {
  const message = { kind: 'challenge_raised', id: ID, text: 'Harborline Bank' }
  expect(noticeOf(message, 'de-DE')).toEqual({
    act: 'show',
    tag: ID,
    text: 'Melden Sie sich gerade an? Öffnen Sie Sealpost, um zu antworten.',
    path: '/',
  })
  expect(JSON.stringify(noticeOf(message, 'en-GB'))).not.toContain('Harborline')
})

test('an answer elsewhere takes the notice away, and a kind of a newer platform is something new', () => {
  expect(noticeOf({ kind: 'challenge_closed', id: ID }, 'en')).toEqual({ act: 'close', tag: ID })
  expect(noticeOf({ kind: 'something_new', id: ID }, 'en')).toMatchObject({ text: 'There is something new.' })
  expect(noticeOf({ kind: 'consent_requested', id: ID }, 'en')).toMatchObject({ path: `/connections/${ID}` })
})

test('a message of another form is no notice, and no path', () => {
  for (const message of [
    null,
    'x',
    7,
    {},
    { kind: 'challenge_raised' },
    { kind: 'consent_requested', id: '../../evil' },
  ])
    expect(noticeOf(message, 'en')).toBeNull()
})
