import {
  callSession,
  type Credentials,
  prepareSignUp,
  signUp,
  startTwoRegions,
  type TestUser,
  type Told,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'

const REGIONS = ['eu', 'us'] as const
type Code = (typeof REGIONS)[number]

let sites: TwoRegions
let wrongVerifier: string
const known = new Map<Code, Credentials>()
const unknown = new Map<Code, Credentials>()
let taken: TestUser

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  for (const region of REGIONS) {
    const user = await signUp(sites, { userType: 'person', region })
    taken = user
    wrongVerifier = Buffer.alloc(32, 7).toString('base64')
    known.set(region, { email: user.email, authVerifier: wrongVerifier })
  }
  for (let tries = 0; unknown.size < REGIONS.length; tries += 1) await assignUnknown(`unknown-${tries}@people.example`)
})
afterAll(() => sites.close())

/** Remembers an unknown address under the region that the front door asks about it. */
async function assignUnknown(email: string): Promise<void> {
  const credentials = { email, authVerifier: wrongVerifier }
  const { peers } = await observed(() => tryLogIn(sites, credentials))
  const region = REGIONS.find((code) => peers.includes(code))
  if (region !== undefined) unknown.set(region, credentials)
}

interface Observed {
  readonly answer: Told
  /** The spans of the call in every process, each by its name and operation. */
  readonly work: readonly string[]
  readonly peers: readonly unknown[]
}

async function observed(call: () => Promise<Told>): Promise<Observed> {
  const before = sites.telemetry.spans().length
  const answer = await call()
  const spans = sites.telemetry.spans().slice(before)
  const request = spans.findLast(({ attributes }) => String(attributes['http.route']).startsWith('/api/'))
  const own = spans.filter(({ traceId }) => traceId === request?.traceId)
  return {
    answer,
    work: own.map(({ name, attributes }) => `${name} ${JSON.stringify(attributes['operation'])}`).toSorted(),
    peers: own.map(({ attributes }) => attributes['region.peer']),
  }
}

/** All that a caller can compare, without the parts that differ between any two calls. */
function comparable({ status, headers, body, setCookies }: Told) {
  const different = ['x-request-id', 'date', 'ratelimit']
  return { status, body, setCookies, headers: [...headers].filter(([name]) => !different.includes(name)) }
}

function pair(region: Code): readonly [Credentials, Credentials] {
  const [user, absent] = [known.get(region), unknown.get(region)]
  if (user === undefined || absent === undefined) throw new Error(`no pair of addresses for ${region}`)
  return [user, absent]
}

test.each(REGIONS)('a wrong password and an unknown address get the same answer, in %s', async (region) => {
  const [user, absent] = pair(region)
  for (const options of [{}, { otp: '123456' }, { trustDevice: true }]) {
    const one = await observed(() => tryLogIn(sites, user, options))
    const other = await observed(() => tryLogIn(sites, absent, options))
    expect(one.answer).toMatchObject({ status: 401, body: { error_key: 'session.invalid' } })
    expect(comparable(other.answer)).toEqual(comparable(one.answer))
    expect(other.work).toEqual(one.work)
    expect(one.work.filter((work) => work.startsWith('check credential'))).toHaveLength(1)
    expect(one.work.filter((work) => work.startsWith('bus ask'))).toHaveLength(1)
  }
})

test('the parameters of a password do not tell whether an account exists, and cost the same', async () => {
  const [user, absent] = pair('eu')
  const ask = ({ email }: Credentials) =>
    observed(() => callSession(sites.frontDoor.url, 'GET', `/api/session/params?email=${email}`))
  const [one, other] = [await ask(user), await ask(absent)]
  expect(other.work).toEqual(one.work)
  const withoutSalt = ({ answer }: Observed) => {
    const { kdf, ...rest } = answer.body
    return { ...comparable(answer), body: { ...rest, kdf: { ...(kdf as object), salt: '' } } }
  }
  expect(withoutSalt(other)).toEqual(withoutSalt(one))
})

test('a registration answers the same and does the same work, whether the address has an account or not', async () => {
  const register = async (email?: string) => {
    const { body } = await prepareSignUp({
      userType: 'person',
      region: 'us',
      ...(email === undefined ? {} : { email }),
    })
    return observed(() => callSession(sites.frontDoor.url, 'POST', '/api/account/register', { body }))
  }
  const [one, other] = [await register(taken.email), await register()]
  expect(one.answer.status).toBe(202)
  expect(comparable(other.answer)).toEqual(comparable(one.answer))
  expect(other.work).toEqual(one.work)
  const confirm = (email: string) =>
    observed(() =>
      callSession(sites.frontDoor.url, 'POST', '/api/account/register/confirm', { body: { email, code: '000000' } }),
    )
  const [wrong, unknownAddress] = [await confirm(taken.email), await confirm('never-seen@people.example')]
  expect(wrong.answer.status).toBe(400)
  expect(comparable(unknownAddress.answer)).toEqual(comparable(wrong.answer))
  expect(unknownAddress.work).toEqual(wrong.work)
})

test('a region that is out of order answers the same for its accounts and for unknown addresses', async () => {
  const switches = { writesPaused: false, outOfOrder: true }
  await turnSwitches(sites.us.platform, switches)
  const [user, absent] = pair('us')
  const [one, other] = [await tryLogIn(sites, user), await tryLogIn(sites, absent)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([
    503,
    'platform.out_of_order',
    '300',
  ])
  expect(comparable(other)).toEqual(comparable(one))
  await turnSwitches(sites.us.platform, { ...switches, outOfOrder: false })
  expect((await tryLogIn(sites, user)).status).toBe(401)
})

test('an unreachable region answers the same for both, and the other region is still served', async () => {
  await sites.us.close()
  const [user, absent] = pair('us')
  const [one, other] = [await tryLogIn(sites, user), await tryLogIn(sites, absent)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([503, 'region.unreachable', '5'])
  expect(comparable(other)).toEqual(comparable(one))
  for (const credentials of pair('eu')) expect((await tryLogIn(sites, credentials)).status).toBe(401)
  const register = async (email?: string) => {
    const { body } = await prepareSignUp({
      userType: 'person',
      region: 'us',
      ...(email === undefined ? {} : { email }),
    })
    return callSession(sites.frontDoor.url, 'POST', '/api/account/register', { body })
  }
  const [takenThere, free] = [await register(taken.email), await register()]
  expect(takenThere.body['error_key']).toBe('region.unreachable')
  expect(comparable(free)).toEqual(comparable(takenThere))
})
