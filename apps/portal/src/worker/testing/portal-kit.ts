import { Secret } from '@sealpost/kernel'
import { AccountClient, type NewServiceKey } from '@sealpost/sdk'
import { FailureError } from '@sealpost/ui/failure'
import { createAccountKeys, deriveRecoverableLogin, type Login, newKdf } from '@sealpost/vault'
import type { PortalContext } from '../context.ts'

export const ACCOUNT = '0196a8c4-5e6f-7a10-8b2c-000000000001'
export const SERVICE = '0196a8c4-5e6f-7a10-8b2c-000000000002'
/** One that is made in a test. */
export const MADE = '0196a8c4-5e6f-7a10-8b2c-000000000004'
export const OTHER = '0196a8c4-5e6f-7a10-8b2c-000000000003'
const API = 'https://eu.example.com'

/** An answer of the platform; undefined leaves it to the honest one. */
export type Lie = (call: string, body: unknown) => unknown

export interface PortalKit {
  readonly context: PortalContext
  /** METHOD PATH and the body of every call. */
  readonly sent: { readonly call: string; readonly body: string }[]
  readonly key: NewServiceKey
  readonly otherKey: NewServiceKey
  /** What this browser has kept. */
  readonly pins: Map<string, string>
  lie(lie: Lie): void
}

const honesty: Lie = () => undefined

/** The worker of a company with two services, in front of a platform that can lie. */
export async function openPortalKit({ hasPassword = true } = {}): Promise<PortalKit> {
  const { login, recovery, key, otherKey } = await materials()
  const sent: PortalKit['sent'] = []
  const pins = new Map<string, string>()
  let lie: Lie = honesty
  const honest = honestPlatform({ key, otherKey, recovery })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const call = `${request.method} ${new URL(request.url).pathname}`
    const text = await request.text()
    sent.push({ call, body: text })
    const body: unknown = text === '' ? null : JSON.parse(text)
    const answer = lie(call, body) ?? honest(call, body)
    if (answer === undefined) return Response.json({ error: 'request.not_found' }, { status: 404 })
    return Response.json(answer, { status: request.method === 'POST' ? 201 : 200 })
  }
  const company = new AccountClient({
    accessToken: async () => ({ token: 'token', apiUrl: API }),
    fetch,
    pins: {
      get: (name) => pins.get(`${ACCOUNT} ${name}`),
      set: (name, value) => pins.set(`${ACCOUNT} ${name}`, value),
    },
  })
  const context = {
    changed: () => {},
    serviceKey: null,
    store: { pinsOf: (id: () => Promise<string>) => pinsIn(pins, id) },
    open: {
      accountId: ACCOUNT,
      login: hasPassword ? login : null,
      ending: new AbortController(),
      client: { company, own: company, readKeys: () => company.readKey(), me: () => company.read() },
    },
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as far as the commands of services and keys use it
    context: context as unknown as PortalContext,
    sent,
    key,
    otherKey,
    pins,
    lie: (next) => void (lie = next),
  }
}

function pinsIn(pins: Map<string, string>, id: () => Promise<string>) {
  return {
    get: async (name: string) => pins.get(`${await id()} ${name}`),
    set: async (name: string, value: string) => pins.set(`${await id()} ${name}`, value),
  }
}

interface Materials {
  readonly login: Login
  readonly recovery: Awaited<ReturnType<typeof createAccountKeys>>
  readonly key: NewServiceKey
  readonly otherKey: NewServiceKey
}

let made: Promise<Materials> | null = null

/** Keys are slow to make, and the same for all tests of a file. */
function materials(): Promise<Materials> {
  return (made ??= makeMaterials())
}

async function makeMaterials(): Promise<Materials> {
  const { login } = await deriveRecoverableLogin(new Secret('correct horse battery').reveal(), newKdf(CHEAP))
  const maker = new AccountClient({ accessToken: async () => ({ token: 'token', apiUrl: API }) }).services
  const [key, otherKey, recovery] = await Promise.all([
    maker.makeKey(),
    maker.makeKey(),
    createAccountKeys(login.wrapKey, 'recovery'),
  ])
  return { login, recovery, key, otherKey }
}

const CHEAP = { memoryKib: 32_768, passes: 2 }

function wrapOf(of: NewServiceKey): object {
  return { public_key: of.publicKey, encrypted_private_key: of.encryptedPrivateKey, sealed_passphrase: null }
}

function honestPlatform({ key, otherKey, recovery }: Omit<Materials, 'login'>) {
  const answers: Readonly<Record<string, (body: unknown) => unknown>> = {
    [`GET /api/services/${SERVICE}/private-key`]: () => wrapOf(key),
    [`GET /api/services/${OTHER}/private-key`]: () => wrapOf(otherKey),
    'GET /api/account': () => ({
      id: ACCOUNT,
      email: 'portal@northwind.example',
      display_name: 'Northwind Clinic',
      share_code: 'NRTHWD',
      region: 'eu',
      user_type: 'company',
      level: 'pro',
      public_key: key.publicKey,
      created_at: '2030-01-01T00:00:00.000Z',
    }),
    'GET /api/account-key': () => ({
      public_key: key.publicKey,
      encrypted_private_key: recovery.encryptedPrivateKey,
      encrypted_recovery_key: recovery.encryptedPrivateKey,
    }),
    'GET /api/account/recovery-key': () => ({ public_key: recovery.publicKey }),
    'POST /api/account/recovery-copies': (body) => ({
      ...(typeof body === 'object' ? body : {}),
      id: '0196a8c4-5e6f-7a10-8b2c-000000000009',
      created_at: '2030-01-01T00:00:00.000Z',
    }),
    'POST /api/services': (body) => serviceOf(body),
  }
  return (call: string, body: unknown): unknown => answers[call]?.(body)
}

export function serviceOf(body: unknown): object {
  const { name, admin_email, public_key }: Readonly<Record<string, unknown>> =
    typeof body === 'object' ? { ...body } : {}
  return {
    id: MADE,
    name,
    share_code: 'VISITS',
    admin_email,
    audience: 'both',
    number_matching: false,
    require_2fa: false,
    public_key,
    created_at: '2030-01-01T00:00:00.000Z',
    state: 'active',
  }
}

/** The reason in the words' key, or the answer as it is. */
export async function outcomeOf(act: Promise<unknown>): Promise<unknown> {
  try {
    return (await act) ?? 'done'
  } catch (error) {
    if (error instanceof FailureError && 'key' in error.failure) return error.failure.key
    return error instanceof Error ? error.name : error
  }
}
