import { type AccessClaims, PORTAL_WEB } from '@sealpost/access-token'
import { type ClientId, instant, type RegionCode, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import type { ClientDirectory } from '../model.ts'
import { createHomeFinder } from './home.ts'

const [EU, US] = ['eu' as RegionCode, 'us' as RegionCode]
const regions = [EU, US].map((code) => ({ code, name: code, apiUrl: `https://${code}.example`, natsUrls: [] }))

function claims(change: Partial<AccessClaims> = {}): AccessClaims {
  const subject = '019a0000-0000-7000-8000-000000000001'
  const own = { subject, clientId: PORTAL_WEB as ClientId, actingFor: null, userType: 'company' } as const
  return { ...own, expiresAt: instant(0), region: EU, epoch: 0, sessionId: 's', ...change }
}

function finder(findHome: ClientDirectory['findHome']) {
  let nowMs = 0
  let asked = 0
  const directory = {
    findHome(question: Parameters<ClientDirectory['findHome']>[0]) {
      asked += 1
      return findHome(question)
    },
  } as ClientDirectory
  const find = createHomeFinder({
    directory,
    regions,
    frontDoorUrl: 'https://front',
    clock: { now: () => instant(nowMs) },
  })
  return { find, asked: () => asked, pass: (ms: number) => void (nowMs += ms) }
}

test('the directory is asked about an unknown caller once in a while, not for every call', async () => {
  const { find, asked, pass } = finder(() => Promise.resolve(null))
  const dead = claims({ clientId: 'acct_gone' as ClientId })
  for (let calls = 0; calls < 5; calls += 1) expect((await find(dead)).region).toBe(EU)
  expect(asked()).toBe(1)
  // The region of the token is used instead, for any token.
  expect((await find({ ...dead, region: US })).region).toBe(US)
  pass(2000)
  await find(dead)
  expect(asked()).toBe(2)
})

test('the directory is not asked for every call while it is unreachable', async () => {
  const { find, asked } = finder(() => Promise.reject(refuse('region.unreachable')))
  for (let calls = 0; calls < 5; calls += 1) expect((await find(claims())).region).toBe(EU)
  expect(asked()).toBe(1)
})

test('two users of one first-party app never share a home', async () => {
  const home = new Map([
    ['1', EU],
    ['2', US],
  ])
  const { find } = finder(({ userId }) => Promise.resolve(home.get(userId?.at(-1) ?? '') ?? null))
  expect((await find(claims())).region).toBe(EU)
  expect((await find(claims({ subject: '019a0000-0000-7000-8000-000000000002' }))).region).toBe(US)
  const actingFor = '019a0000-0000-7000-8000-000000000002' as UserId
  expect((await find(claims({ actingFor }))).region).toBe(US)
})
