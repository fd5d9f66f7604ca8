import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { postForm, type WireAnswer } from '../wire.ts'
import { attempt, type Attempt, createAccountClient, type OAuthClient, REDIRECT, submitLogin } from './relying-party.ts'
import { openSignInApps } from './signin-app.ts'

/** Where the outcome of a request goes: nowhere, to the registered address, or to a poll that needs the secret. */
type Outcome = 'refused' | 'address' | 'secret'

const world = await openWorld()
const apps = await openSignInApps(world)
const { northwind } = await world.personas('northwind')
const service = await world.service([{ slug: 'name' }], { company: northwind })
await service.portal('PUT', `${service.path}/client`, { body: { redirect_uri: REDIRECT } })
const victim = await world.person({ region: 'us' })
await victim.connected(service, [{ slug: 'name', text: 'Ana' }])

const clients: Readonly<Record<string, OAuthClient>> = {
  'a data client': { ...service.client, redirectUri: REDIRECT },
  'an account client': await createAccountClient(northwind),
  'an app without `detached`': await createApp({}),
  'an app with `detached`': await createApp({ detached: true }),
  'a public app': await createApp({ confidential: false }),
  'the command': { clientId: 'command_line', clientSecret: null, redirectUri: 'http://127.0.0.1:43117/callback' },
}
const MODES = ['signin', 'one_time', 'connect', '2fa_enroll'] as const
const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an address of the stranger': { redirect_uri: 'https://stranger.example/callback' },
  'the registered address': {},
  query: { response_mode: 'query' },
  detached: { response_mode: 'detached' },
  'detached, without an address': { response_mode: 'detached', redirect_uri: '' },
}
const OF_ADDRESS: Readonly<Record<string, readonly Outcome[]>> = {
  'a data client': ['address', 'refused', 'refused', 'address'],
  'an account client': ['address', 'refused', 'refused', 'refused'],
  'an app without `detached`': ['address', 'address', 'address', 'address'],
  'an app with `detached`': ['address', 'address', 'address', 'address'],
  'a public app': ['address', 'address', 'address', 'address'],
  'the command': ['address', 'refused', 'refused', 'refused'],
}
const OF_DETACHED: Readonly<Record<string, readonly Outcome[]>> = {
  'a data client': ['secret', 'refused', 'refused', 'secret'],
  'an account client': ['secret', 'refused', 'refused', 'refused'],
  'an app without `detached`': ['refused', 'refused', 'refused', 'secret'],
  'an app with `detached`': ['secret', 'secret', 'secret', 'secret'],
  'a public app': ['refused', 'refused', 'refused', 'refused'],
  'the command': ['refused', 'refused', 'refused', 'refused'],
}
const ROWS = Object.entries(clients).flatMap(([kind, client]) =>
  Object.entries(WAYS).map(([way, more]) => ({ kind, client, way, more, expected: expectedOf(kind, way) })),
)

test.each(ROWS)(
  'a stranger with a link to $kind by $way gets no outcome of a victim who approves',
  async ({ client, more, expected }) => {
    const outcomes: Outcome[] = []
    for (const mode of MODES) outcomes.push(await approve(client, { ...more, mode }))
    expect(outcomes).toEqual(expected)
  },
)

test('a detached request that is not registered is refused before a person sees it', async () => {
  for (const kind of ['an app without `detached`', 'a public app']) {
    const made = detachedOf(clients[kind])
    const { status, body } = await apps.view(made, victim.token)
    expect([kind, status, body['error_key']]).toEqual([kind, 400, 'oauth.invalid_request'])
    const page = await fetch(`${apps.front}/oauth2/authorize?${new URLSearchParams(made.query).toString()}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect([kind, page.status, page.headers.get('location')]).toEqual([kind, 400, null])
  }
})

test('a public app polls for nothing', async () => {
  const { status, body } = await poll(detachedOf(clients['a public app']))
  expect([status, body['error_key']]).toEqual([400, 'oauth.invalid_request'])
})

test('an app that is changed to `detached`, and back, is believed at once', async () => {
  const app = await createApp({})
  const path = `/api/account/oauth-apps/${app.clientId}`
  for (const [detached, status] of [
    [true, 200],
    [false, 400],
  ] as const) {
    expect((await northwind.portal('PUT', path, { body: { detached } })).body).toMatchObject({ detached })
    expect((await apps.view(detachedOf(app), victim.token)).status).toBe(status)
  }
})

function detachedOf(client: OAuthClient | undefined): Attempt {
  if (client === undefined) throw new Error('no client of that kind')
  return requestOf(client, { response_mode: 'detached' })
}

function expectedOf(kind: string, way: string): readonly Outcome[] {
  if (way === 'an address of the stranger') return MODES.map(() => 'refused')
  return (way.startsWith('detached') ? OF_DETACHED : OF_ADDRESS)[kind] ?? []
}

function createApp(more: object): Promise<OAuthClient> {
  return apps.createApp({ service_id: service.serviceId, ...more })
}

function requestOf(client: OAuthClient, { redirect_uri, ...more }: Readonly<Record<string, string>>): Attempt {
  const { verifier, query } = attempt(client, more)
  const { redirect_uri: registered = '', ...rest } = query
  const address = redirect_uri ?? registered
  return { verifier, query: address === '' ? rest : { ...rest, redirect_uri: address } }
}

/** The victim, a person or a user of the company, goes on with a link that is made of public data. */
async function approve(client: OAuthClient, more: Readonly<Record<string, string>>): Promise<Outcome> {
  const made = requestOf(client, more)
  const isForPersons = client.clientId.startsWith('idw_') || more['mode'] === '2fa_enroll'
  const outcome = await (isForPersons ? approveAsPerson(made) : approveAsCompany(made))
  expect((await poll(made)).status).not.toBe(200)
  return outcome
}

async function approveAsPerson(made: Attempt): Promise<Outcome> {
  const { body } = await apps.decide(made, { decision: 'approve' }, victim.token)
  return 'done' in body ? 'secret' : outcomeAt(made, String(body['redirect_to']))
}

async function approveAsCompany(made: Attempt): Promise<Outcome> {
  const { status, headers } = await submitLogin(world, made, northwind)
  return status === 200 ? 'secret' : outcomeAt(made, headers.get('location') ?? '')
}

function outcomeAt({ query }: Attempt, location: string): Outcome {
  const isRegistered = location.startsWith(`${query['redirect_uri'] ?? ''}?`)
  return isRegistered && /[?&](?:code|enrolled)=/.test(location) ? 'address' : 'refused'
}

/** What the stranger can ask for, who has no secret. */
function poll({ query }: Attempt): Promise<WireAnswer> {
  return postForm(`${apps.front}/oauth2/result`, { client_id: query['client_id'] ?? '', state: query['state'] ?? '' })
}
