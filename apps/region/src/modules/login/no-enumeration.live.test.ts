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
const strangers = new Map<Code, Credentials>()
let taken: TestUser

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  for (const region of REGIONS) {
    const user = await signUp(sites, { userType: 'person', region })
    taken = user
    wrongVerifier = Buffer.alloc(32, 7).toString('base64')
    known.set(region, { email: user.email, authVerifier: wrongVerifier })
  }
  for (let tries = 0; strangers.size < REGIONS.length; tries += 1) await meetStranger(`nobody-${tries}@people.example`)
})
afterAll(() => sites.close())

/** An address that nobody has, filed by the region that is asked about it all the same. */
async function meetStranger(email: string): Promise<void> {
  const stranger = { email, authVerifier: wrongVerifier }
  const { peers } = await observed(() => tryLogIn(sites, stranger))
  const region = REGIONS.find((code) => peers.includes(code))
  if (region !== undefined) strangers.set(region, stranger)
}

interface Observed {
  readonly told: Told
  /** What was done for the call, in every process: each span by its name and what it worked on. */
  readonly work: readonly string[]
  readonly peers: readonly unknown[]
}

async function observed(call: () => Promise<Told>): Promise<Observed> {
  const before = sites.telemetry.spans().length
  const told = await call()
  const spans = sites.telemetry.spans().slice(before)
  const request = spans.findLast(({ attributes }) => String(attributes['http.route']).startsWith('/api/'))
  const own = spans.filter(({ traceId }) => traceId === request?.traceId)
  return {
    told,
    work: own.map(({ name, attributes }) => `${name} ${JSON.stringify(attributes['operation'])}`).toSorted(),
    peers: own.map(({ attributes }) => attributes['region.peer']),
  }
}

/** Everything that a caller can compare, without what differs between any two calls. */
function shown({ status, headers, body, setCookies }: Told) {
  const different = ['x-request-id', 'date', 'ratelimit']
  return { status, body, setCookies, headers: [...headers].filter(([name]) => !different.includes(name)) }
}

function pair(region: Code): readonly [Credentials, Credentials] {
  const [user, stranger] = [known.get(region), strangers.get(region)]
  if (user === undefined || stranger === undefined) throw new Error(`nobody was found for ${region}`)
  return [user, stranger]
}

test.each(REGIONS)('a wrong password and an address that nobody has are one and the same, in %s', async (region) => {
  const [user, stranger] = pair(region)
  for (const options of [{}, { otp: '123456' }, { trustDevice: true }]) {
    const one = await observed(() => tryLogIn(sites, user, options))
    const other = await observed(() => tryLogIn(sites, stranger, options))
    expect(one.told).toMatchObject({ status: 401, body: { error_key: 'session.invalid' } })
    expect(shown(other.told)).toEqual(shown(one.told))
    expect(other.work).toEqual(one.work)
    expect(one.work.filter((work) => work.startsWith('check credential'))).toHaveLength(1)
    expect(one.work.filter((work) => work.startsWith('bus ask'))).toHaveLength(1)
  }
})

test('the parameters of a password tell nothing, and cost the same', async () => {
  const [user, stranger] = pair('eu')
  const ask = ({ email }: Credentials) =>
    observed(() => callSession(sites.frontDoor.url, 'GET', `/api/session/params?email=${email}`))
  const [one, other] = [await ask(user), await ask(stranger)]
  expect(other.work).toEqual(one.work)
  const withoutSalt = ({ told }: Observed) => {
    const { kdf, ...rest } = told.body
    return { ...shown(told), body: { ...rest, kdf: { ...(kdf as object), salt: '' } } }
  }
  expect(withoutSalt(other)).toEqual(withoutSalt(one))
})

test('a registration answers alike and does the same work, whether the address has an account or not', async () => {
  const register = async (email?: string) => {
    const { body } = await prepareSignUp({
      userType: 'person',
      region: 'us',
      ...(email === undefined ? {} : { email }),
    })
    return observed(() => callSession(sites.frontDoor.url, 'POST', '/api/account/register', { body }))
  }
  const [one, other] = [await register(taken.email), await register()]
  expect(one.told.status).toBe(202)
  expect(shown(other.told)).toEqual(shown(one.told))
  expect(other.work).toEqual(one.work)
  const confirm = (email: string) =>
    observed(() =>
      callSession(sites.frontDoor.url, 'POST', '/api/account/register/confirm', { body: { email, code: '000000' } }),
    )
  const [wrong, nobody] = [await confirm(taken.email), await confirm('nobody-at-all@people.example')]
  expect(wrong.told.status).toBe(400)
  expect(shown(nobody.told)).toEqual(shown(wrong.told))
  expect(nobody.work).toEqual(wrong.work)
})

test('a region that is out of order answers alike for who lives there and for who only might', async () => {
  const switches = { writesPaused: false, outOfOrder: true }
  await turnSwitches(sites.us.core, switches)
  const [user, stranger] = pair('us')
  const [one, other] = [await tryLogIn(sites, user), await tryLogIn(sites, stranger)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([
    503,
    'platform.out_of_order',
    '300',
  ])
  expect(shown(other)).toEqual(shown(one))
  await turnSwitches(sites.us.core, { ...switches, outOfOrder: false })
  expect((await tryLogIn(sites, user)).status).toBe(401)
})

test('a region that is away is away for both, and the other region goes on', async () => {
  await sites.us.close()
  const [user, stranger] = pair('us')
  const [one, other] = [await tryLogIn(sites, user), await tryLogIn(sites, stranger)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([503, 'region.unreachable', '5'])
  expect(shown(other)).toEqual(shown(one))
  for (const somebody of pair('eu')) expect((await tryLogIn(sites, somebody)).status).toBe(401)
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
  expect(shown(free)).toEqual(shown(takenThere))
})
