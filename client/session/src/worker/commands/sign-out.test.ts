import { SealpostError } from '@sealpost/sdk'
import { newKdf, wrapForDevice } from '@sealpost/vault'
import { expect, test } from 'vitest'
import type { SessionClient } from '../context.ts'
import { openKit, PASSKEY, PASSKEY_SECRET, type SessionKit } from '../testing/session-kit.ts'
import { removeDevice } from './devices.ts'
import { logIn, logOut, unlockByPasskey } from './session.ts'

const CLOSE = 'DELETE /api/session?user_type=person'
const REMOVE = 'DELETE https://eu.example/api/account/trusted-devices/d1'
const ENDED = () => Response.json({ error_key: 'session.expired', error: 'ended' }, { status: 401 })
const gone = async (): Promise<never> => {
  throw new SealpostError('no', {
    status: 404,
    requestId: 'r',
    retryAfterSeconds: undefined,
    key: 'request.not_found',
    details: {},
  })
}

/** Ways in which a platform does not hear of an end. */
const DEAF: Readonly<Record<string, () => Promise<Response>>> = {
  'without a network': () => Promise.reject(new TypeError('fetch failed')),
  refused: async () => Response.json({ error_key: 'auth.client_endpoint_forbidden', error: 'no' }, { status: 403 }),
  'a failing server': async () => new Response('bad gateway', { status: 502 }),
  'an answer of another kind': async () => Response.json({ hello: 1 }, { status: 404 }),
}
const resting = ({ database }: SessionKit): readonly unknown[] => database.everything()

test.each(Object.entries(DEAF))('sign-out leaves nothing of the account on the device: %s', async (_name, deaf) => {
  const kit = await openKit()
  kit.answerWith(deaf)
  await logOut(kit.context)
  expect(kit.context.open).toBeNull()
  expect(resting(kit)).toEqual([{ deviceId: null }])
  expect([await kit.isTold(), kit.calls]).toEqual([false, [CLOSE]])

  kit.answerWith(async () => new Response(null, { status: 204 }))
  expect(await kit.context.access.tellEnd()).toBe(true)
  expect([resting(kit), kit.calls]).toEqual([[], [CLOSE, CLOSE]])
  expect(await kit.context.access.tellEnd()).toBe(true)
  expect(kit.calls).toHaveLength(2)
})

test('sign-out does not wait for a server that does not answer', async () => {
  const kit = await openKit()
  const { promise, resolve } = Promise.withResolvers<Response>()
  kit.answerWith(() => promise)
  await logOut(kit.context)
  expect(resting(kit)).toEqual([{ deviceId: null }])
  resolve(new Response(null, { status: 204 }))
  expect([await kit.isTold(), resting(kit)]).toEqual([true, []])
})

test.each(Object.entries(DEAF))('a person removes the own device: %s', async (_name, deaf) => {
  const kit = await openKit({ unlock: PASSKEY })
  kit.answerWith(deaf)
  await removeDevice(kit.context, 'd1')
  expect([kit.context.open, resting(kit)]).toEqual([null, [{ deviceId: 'd1' }]])
  expect(await kit.isTold()).toBe(false)

  kit.answerWith(async (call) =>
    call.startsWith('POST')
      ? Response.json({ access_token: 't', api_url: 'https://eu.example', expires_in: 60 })
      : new Response(null, { status: 204 }),
  )
  kit.calls.length = 0
  expect(await kit.context.access.tellEnd()).toBe(true)
  expect([kit.calls, resting(kit)]).toEqual([['POST /api/session/refresh', REMOVE, CLOSE], []])
})

test('a removal whose session has ended is over', async () => {
  const kit = await openKit({ unlock: PASSKEY })
  kit.answerWith(async (call) => (call === CLOSE ? new Response(null, { status: 204 }) : ENDED()))
  await removeDevice(kit.context, 'd1')
  expect([await kit.isTold(), resting(kit)]).toEqual([true, []])
})

test.each(Object.entries(DEAF))(
  'a device that another one has removed keeps only its pins: %s',
  async (_name, deaf) => {
    const wrap = await wrapForDevice((await openKit()).privateKey, PASSKEY_SECRET)
    const security = { readDevice: gone } satisfies Partial<SessionClient['security']>
    const kit = await openKit({ unlock: { ...PASSKEY, wrap }, security })
    kit.answerWith(deaf)
    const unlocked = unlockByPasskey(kit.context, PASSKEY_SECRET.reveal().buffer)
    await expect(unlocked).rejects.toMatchObject({ failure: { key: 'session_ended' } })
    expect(kit.context.open).toBeNull()
    // Else the word of the server that a device is gone would make it forget whose keys it knows.
    expect(resting(kit)).toEqual([{ deviceId: null }, 'fingerprint'])
    expect([await kit.isTold(), kit.calls]).toEqual([false, [CLOSE]])
  },
)

test('an end that was not heard is told before the next login, and never after it', async () => {
  const kit = await openKit()
  kit.answerWith(DEAF['a failing server'] ?? gone)
  await logOut(kit.context)
  await kit.isTold()
  kit.calls.length = 0
  kit.answerWith(async (call) => {
    if (call.startsWith('GET')) return Response.json({ kdf: newKdf({ memoryKib: 32_768, passes: 2 }) })
    if (call === CLOSE) return new Response('bad gateway', { status: 502 })
    return Response.json({ access_token: 't', api_url: 'https://eu.example', expires_in: 60 })
  })
  await logIn(kit.context, { email: 'bo@people.example', password: 'a good phrase' }).catch(() => {})
  expect(kit.calls.slice(1)).toEqual([CLOSE, 'POST /api/session'])
  expect([await kit.context.access.tellEnd(), kit.calls.length]).toEqual([true, 3])
})

test('what a command writes after a sign-out, here or in another tab, is refused', async () => {
  const ends = [logOut, async (_context: unknown, kit: SessionKit) => kit.otherTabClears()]
  for (const end of ends) {
    const kit = await openKit()
    const [rows, pins] = [kit.store.rows(), kit.store.pinsOf(async () => 'a1')]
    await end(kit.context, kit)
    const late = [rows('drafts', 'readwrite', (store) => store.put({ own: 'late' }, 'a1 d')), pins.set('x', 'late')]
    for (const write of late) await expect(write).rejects.toMatchObject({ failure: { kind: 'locked' } })
    expect(JSON.stringify(resting(kit))).not.toContain('late')
  }
})

test('a record that has gone is not changed into being', async () => {
  const kit = await openKit()
  await logOut(kit.context)
  expect(await kit.store.update((record) => ({ ...record, displayName: 'late' }))).toBeNull()
  expect(await kit.store.read()).toBeNull()
})
