import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import type { PersonaCompany, World } from '@sealpost/testkit'
import { createServiceKey } from '@sealpost/vault'
import { bearer, get, type WireAnswer } from '../wire.ts'
import { attempt, type Attempt, exchange, type OAuthClient, REDIRECT, type Tokens, tokensOf } from './relying-party.ts'

export const CLAIMS = [
  { name: 'mail', type: 'email', required: true },
  { name: 'phone', type: 'phone' },
]
export const platform = createCryptoPlatform(globalThis)

/** Sign-in apps of northwind, in eu, and their user mara, a person in us. */
export interface SignInApps {
  readonly front: string
  readonly key: Awaited<ReturnType<typeof createServiceKey>>
  /** Claims an e-mail address, sealed. */
  readonly app: OAuthClient
  readonly publicApp: OAuthClient
  /** Accepts plaintext at sign-in. */
  readonly plainApp: OAuthClient
  createApp(more: object): Promise<OAuthClient>
  view(made: Attempt, token?: string): Promise<WireAnswer>
  decide(made: Attempt, decision: object, token?: string): Promise<WireAnswer>
  /** The whole flow with the required claims. */
  signIn(client: OAuthClient): Promise<Tokens>
  sealed(text: string): Promise<string>
}

export async function openSignInApps(world: World): Promise<SignInApps> {
  const { northwind, mara } = await world.personas('northwind', 'mara')
  const front = world.frontDoor.url
  const key = await createServiceKey()
  const createApp = (more: object): Promise<OAuthClient> => createAppOf(northwind, key, more)
  const app = await createApp({ claims: CLAIMS })
  const apps: SignInApps = {
    front,
    key,
    app,
    publicApp: await createApp({ confidential: false }),
    plainApp: await createApp({ claims: CLAIMS, claims_delivery: 'plaintext' }),
    createApp,
    view({ query }, token = mara.token) {
      const url = `${front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
      return get(url, { accept: 'application/json', ...bearer(token) })
    },
    decide: ({ query }, decision, token = mara.token) => post(front, { ...query, ...decision }, token),
    async signIn(client) {
      const made = attempt(client)
      const values = client === app ? { values: { mail: await apps.sealed('x') } } : {}
      const reply = await apps.decide(made, { decision: 'approve', ...values })
      return tokensOf(await exchange(world, client, made, codeOf(reply)))
    },
    async sealed(text) {
      const sealing = await importSealingKey(platform, key.publicKey)
      const wrapper = sealing.ok ? await sealWrapper(platform, sealing.value, text) : sealing
      if (!wrapper.ok) throw new Error('not sealed to the key of the app')
      return wrapper.value
    },
  }
  return apps
}

export function codeOf({ body }: WireAnswer): string {
  return new URL(String(body['redirect_to'])).searchParams.get('code') ?? ''
}

async function createAppOf({ calls }: PersonaCompany, key: SignInApps['key'], more: object): Promise<OAuthClient> {
  const body = {
    name: 'Northwind login',
    redirect_uris: [REDIRECT],
    public_key: key.publicKey,
    encrypted_private_key: key.encryptedPrivateKey,
    ...more,
  }
  const made = await calls('POST', '/api/account/oauth-apps', { body })
  if (made.status !== 201) throw new Error(`no app: ${made.text}`)
  const secret = made.body['client_secret']
  const clientSecret = typeof secret === 'string' ? secret : null
  return { clientId: String(made.body['client_id']), clientSecret, redirectUri: REDIRECT }
}

async function post(front: string, body: object, token: string): Promise<WireAnswer> {
  const answer = await fetch(`${front}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...bearer(token) },
    redirect: 'manual',
  })
  const reply: unknown = await answer.json()
  if (typeof reply !== 'object' || reply === null) throw new Error('the answer is no JSON object')
  return { status: answer.status, headers: answer.headers, body: { ...reply } }
}
