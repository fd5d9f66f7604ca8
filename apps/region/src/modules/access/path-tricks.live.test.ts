import { connect } from 'node:net'
import { canonicalPath } from '@sealpost/http'
import { allOperations, type CallerKind } from '@sealpost/protocol'
import { openWorld, payloadOf } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { pathTricks } from './testing/path-tricks.ts'

/** As the documents list them, repeated here: the test must not take them from the code under test. */
const SERVICE_CLIENT = [
  /^\/api\/company-data\//,
  /^\/api\/contact-fields/,
  /^\/api\/contact-field-types/,
  /^\/api\/keys\//,
  /^\/api\/service-2fa\//,
]
const BASELINE = [/^\/api\/account$/, /^\/api\/profile$/, /^\/oauth2\/token$/, /^\/api\/contact-field-types/]
const GROUPS: Readonly<Record<string, readonly RegExp[]>> = {
  service_management: [/^\/api\/services/, /^\/api\/account\/recovery-/],
  company_profile_fields: [/^\/api\/contact-data/, /^\/api\/contact-fields/, /^\/api\/photos/],
  customer_connections: [/^\/api\/company-connections/, /^\/api\/customer\//, /^\/api\/keys/],
  oauth_apps: [/^\/api\/account\/oauth-apps/, /^\/api\/account\/recovery-/],
  delegate_management: [/^\/api\/delegates/],
}
const CLOSED_TO_CLIENTS = ['/api/account-key', '/api/account/2fa', '/api/account/clients', '/api/portal/audit']
/** The paths of GET operations without parameters. */
const SERVED = allOperations.filter(
  ({ method, path, callers }) => method === 'GET' && callers.length > 0 && !path.includes('{'),
)

interface Suspect {
  readonly name: string
  readonly kind: CallerKind
  /** The capabilities of an account client. */
  readonly groups: readonly string[]
  readonly granted: readonly RegExp[]
  readonly own: string
  readonly foreign: readonly string[]
}
const suspects: readonly Suspect[] = [
  {
    name: 'a service client',
    kind: 'service_client',
    groups: [],
    granted: SERVICE_CLIENT,
    own: '/api/company-data/whoami',
    foreign: ['/api/account', '/api/delegates', ...CLOSED_TO_CLIENTS],
  },
  accountClient([]),
  ...Object.keys(GROUPS).map((name) => accountClient([name])),
]

function accountClient(groups: readonly string[]): Suspect {
  const granted = [...BASELINE, ...groups.flatMap((name) => GROUPS[name] ?? [])]
  const others = ['/api/delegates', '/api/account/oauth-apps', '/api/account/recovery-key']
  return {
    name: groups[0] ?? 'an account client without groups',
    kind: 'account_client',
    groups,
    granted,
    own: '/api/account',
    foreign: [
      '/api/company-data/whoami',
      ...CLOSED_TO_CLIENTS,
      ...others.filter((path) => !granted.some((pattern) => pattern.test(path))),
    ],
  }
}

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const port = Number(new URL(northwind.apiUrl).port)
const tokens = new Map([['a service client', await world.token(northwind)]])
for (const { name, groups } of suspects.slice(1)) tokens.set(name, (await northwind.accountClient(groups)).token)

describe('by no spelling of a path', () => {
  let tried = 0
  test.each(suspects)(
    'does $name reach more than its canonical path would [WHITELIST-01, WHITELIST-07, WHITELIST-18]',
    async (suspect) => {
      const token = tokens.get(suspect.name) ?? ''
      const tricks = tricksOf(suspect)
      expect(tricks.length).toBeGreaterThanOrEqual(200)
      tried += tricks.length
      const breaches: string[] = []
      for (let i = 0; i < tricks.length; i += 16) {
        const some = tricks.slice(i, i + 16)
        const answers = await Promise.all(some.map((target) => sendRaw(target, token)))
        some.forEach((target, n) => {
          const problem = problemOf(suspect, target, answers[n] ?? '')
          if (problem !== null) breaches.push(`${target.slice(0, 200)}: ${problem}`)
        })
      }
      expect(breaches).toEqual([])
    },
  )

  test('at least 200 spellings were tried per client', () => {
    expect(tried).toBeGreaterThanOrEqual(200 * suspects.length)
  })
})

test('an account client never reaches the company-data surface, whatever its capabilities [AUTH-08]', async () => {
  const client = await northwind.accountClient(Object.keys(GROUPS))
  for (const path of ['/api/company-data/whoami', '/api/company-data/%77hoami']) {
    expect(await client.calls('GET', path)).toMatchObject({
      status: 403,
      body: { error_key: 'auth.client_endpoint_forbidden', error: 'Client not authorized for this endpoint' },
    })
  }
})

test('the token of an account client names the company as subject, and reads its account [AUTH-05]', async () => {
  const client = await northwind.accountClient([])
  expect(payloadOf(client.token)).toMatchObject({ sub: northwind.companyId })
  expect(await client.calls('GET', '/api/account')).toMatchObject({ status: 200, body: { id: northwind.companyId } })
})

test('a method that a client may not use is forbidden, whether it exists or not', async () => {
  const client = await northwind.accountClient([])
  for (const [method, path] of [
    ['POST', '/api/account'],
    ['DELETE', '/api/account'],
    ['PUT', '/api/account'],
    ['POST', '/api/profile'],
    ['DELETE', '/api/profile'],
  ] as const) {
    expect(await client.calls(method, path)).toMatchObject({
      status: 403,
      body: { error_key: 'auth.client_endpoint_forbidden' },
    })
  }
  expect((await northwind.calls('DELETE', '/api/account')).status).toBe(405)
})

/** Every spelling once: they take turns at the addresses, and each client begins with another one. */
function tricksOf({ own, foreign, name }: Suspect): readonly string[] {
  const first = suspects.findIndex((one) => one.name === name)
  const lists = foreign.map((address) => pathTricks(own, address))
  const most = Math.max(...lists.map(({ length }) => length))
  const turns = Array.from({ length: most }, (_, n) => lists[(first + n) % lists.length]?.[n])
  return [...new Set(turns.filter((trick) => trick !== undefined))]
}

/** Null when the answer is right for the canonical path. */
function problemOf(suspect: Suspect, target: string, answer: string): string | null {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? Number.NaN)
  const [given = ''] = target.replace(/^https?:\/\/[^/\\?#]*/i, '').split('?')
  const path = canonicalPath(given)
  const route = path.ok ? SERVED.find((operation) => operation.path === path.value) : undefined
  const isGranted =
    route !== undefined && route.callers.includes(suspect.kind) && suspect.granted.some((one) => one.test(route.path))
  if (isGranted) return status === 200 ? null : `is granted, and was answered ${status}`
  if (status >= 200 && status < 400) return `was answered ${status}`
  if (route !== undefined && status !== 403) return `is the address of ${route.path}, and was answered ${status}`
  return [400, 403, 404, 414, 431].includes(status) ? null : `was answered ${status}`
}

/** Raw bytes: every client library would normalise the target. */
function sendRaw(target: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`)
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
