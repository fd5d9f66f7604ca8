import { callSession, type Credentials, openWorld, prepareSignUp, tryLogIn } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'

const REGIONS = ['eu', 'us'] as const
type Code = (typeof REGIONS)[number]
type Answer = Awaited<ReturnType<typeof tryLogIn>>
const WRONG_VERIFIER = Buffer.alloc(32, 7).toString('base64')

const world = await openWorld({ own: true })
const persons = { eu: await world.person({ region: 'eu' }), us: await world.person({ region: 'us' }) }
const unknownAddresses = await findUnknownAddresses()
const taken = persons.us.email

/** An unknown address for each region: one that the front door asks that region about. */
async function findUnknownAddresses(): Promise<ReadonlyMap<Code, string>> {
  const found = new Map<Code, string>()
  for (let tries = 0; found.size < REGIONS.length; tries += 1) {
    const email = `unknown-${tries}@people.example`
    const { peers } = await observed(() => tryLogIn(world, { email, authVerifier: WRONG_VERIFIER }))
    const region = REGIONS.find((code) => peers.includes(code))
    if (region !== undefined) found.set(region, email)
  }
  return found
}

interface Observed {
  readonly answer: Answer
  /** The spans of the call in every process, each by its name and operation. */
  readonly work: readonly string[]
  readonly peers: readonly unknown[]
}

async function observed(call: () => Promise<Answer>): Promise<Observed> {
  const before = world.telemetry.spans().length
  const answer = await call()
  const spans = world.telemetry.spans().slice(before)
  const request = spans.findLast(({ attributes }) => String(attributes['http.route']).startsWith('/api/'))
  const own = spans.filter(({ traceId }) => traceId === request?.traceId)
  return {
    answer,
    work: own.map(({ name, attributes }) => `${name} ${JSON.stringify(attributes['operation'])}`).toSorted(),
    peers: own.map(({ attributes }) => attributes['region.peer']),
  }
}

/** All that a caller can compare, without the parts that differ between any two calls. */
function comparable({ status, headers, body: { registration_token: token, ...rest }, setCookies }: Answer) {
  const different = ['x-request-id', 'date', 'ratelimit']
  const body = { ...rest, ...(token === undefined ? {} : { registration_token: JSON.stringify(token).length }) }
  return { status, body, setCookies, headers: [...headers].filter(([name]) => !different.includes(name)) }
}

/** A wrong password of a known address, and of an unknown one. */
function pair(region: Code): readonly [Credentials, Credentials] {
  const authVerifier = WRONG_VERIFIER
  return [
    { email: persons[region].email, authVerifier },
    { email: unknownAddresses.get(region) ?? '', authVerifier },
  ]
}

async function register(email?: string): Promise<Answer> {
  const address = email === undefined ? {} : { email }
  const { body } = await prepareSignUp({ userType: 'person', region: 'us', ...address })
  return callSession(world.frontDoor.url, 'POST', '/api/account/register', { body })
}

test.each(REGIONS)('a wrong password and an unknown address get the same answer, in %s', async (region) => {
  const [user, absent] = pair(region)
  for (const options of [{}, { otp: '123456' }, { trustDevice: true }]) {
    const one = await observed(() => tryLogIn(world, user, options))
    const other = await observed(() => tryLogIn(world, absent, options))
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
    observed(() => callSession(world.frontDoor.url, 'GET', `/api/session/params?email=${email}`))
  const [one, other] = [await ask(user), await ask(absent)]
  expect(other.work).toEqual(one.work)
  const withoutSalt = ({ answer }: Observed) => {
    const { kdf, ...rest } = answer.body
    return { ...comparable(answer), body: { ...rest, kdf: { ...(kdf as object), salt: '' } } }
  }
  expect(withoutSalt(other)).toEqual(withoutSalt(one))
})

test('a registration answers the same and does the same work, whether the address has an account or not', async () => {
  const free = 'never-seen@people.example'
  const [one, other] = [await observed(() => register(taken)), await observed(() => register(free))]
  expect(one.answer.status).toBe(202)
  expect(comparable(other.answer)).toEqual(comparable(one.answer))
  expect(other.work).toEqual(one.work)
  const confirm = ({ answer: { body } }: Observed, email: string) =>
    observed(() =>
      callSession(world.frontDoor.url, 'POST', '/api/account/register/confirm', {
        body: { email, code: '000000', registration_token: body['registration_token'] },
      }),
    )
  const [wrong, unknownAddress] = [await confirm(one, taken), await confirm(other, free)]
  expect(wrong.answer.status).toBe(400)
  expect(comparable(unknownAddress.answer)).toEqual(comparable(wrong.answer))
  expect(unknownAddress.work).toEqual(wrong.work)
  expect(wrong.work.filter((work) => work.startsWith('bus ask'))).toHaveLength(1)
})

test('a region that is out of order answers the same for its accounts and for unknown addresses', async () => {
  const switches = { writesPaused: false, outOfOrder: true }
  await turnSwitches(world.us.platform, switches)
  const [user, absent] = pair('us')
  const [one, other] = [await tryLogIn(world, user), await tryLogIn(world, absent)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([
    503,
    'platform.out_of_order',
    '300',
  ])
  expect(comparable(other)).toEqual(comparable(one))
  await turnSwitches(world.us.platform, { ...switches, outOfOrder: false })
  expect((await tryLogIn(world, user)).status).toBe(401)
})

test('an unreachable region answers the same for both, and the other region is still served', async () => {
  await world.us.close()
  const [user, absent] = pair('us')
  const [one, other] = [await tryLogIn(world, user), await tryLogIn(world, absent)]
  expect([one.status, one.body['error_key'], one.headers.get('retry-after')]).toEqual([503, 'region.unreachable', '5'])
  expect(comparable(other)).toEqual(comparable(one))
  for (const credentials of pair('eu')) expect((await tryLogIn(world, credentials)).status).toBe(401)
  const [takenThere, free] = [await register(taken), await register()]
  expect(takenThere.body['error_key']).toBe('region.unreachable')
  expect(comparable(free)).toEqual(comparable(takenThere))
})
