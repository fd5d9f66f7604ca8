import { randomBytes } from 'node:crypto'
import { importOpeningKey, openWrapper } from '@sealpost/crypto'
import { bodyOf, type Service, type World } from '@sealpost/testkit'
import { createServiceKey } from '@sealpost/vault'
import type { BrowserContext } from 'playwright-core'
import { attempt, type Attempt, type OAuthClient, REDIRECT } from '../oauth/relying-party.ts'
import { platform } from '../oauth/signin-app.ts'
import { postForm, type WireAnswer } from '../wire.ts'

/** A company in `eu` with a service, and a sign-in app that belongs to it. */
export interface Shop {
  readonly service: Service
  readonly app: OAuthClient
  /** The data client, which may send persons to the enrolment. */
  readonly svc: OAuthClient
  /** An address of the front door that an app leads a browser to. */
  address(made: Attempt): string
  enrolment(more?: Readonly<Record<string, string>>): Attempt
  /** What the app gets for a detached request. */
  result(client: OAuthClient, made: Attempt): Promise<WireAnswer>
  /** A value that was sealed to the app. */
  open(wrapper: unknown): Promise<string>
}

const FIELDS = [
  { slug: 'first', label: 'First name', mandatory_provide: true },
  { slug: 'phone', label: 'Mobile number', type: 'phone' },
]

export async function openShop(world: World, displayName: string, more: object = {}): Promise<Shop> {
  const company = await world.company({ region: 'eu', level: 'pro', displayName })
  const service = await world.service(FIELDS, { company, name: 'Membership' })
  await bodyOf(service.portal('PUT', `${service.path}/client`, { body: { redirect_uri: REDIRECT } }))
  const key = await createServiceKey()
  const body = {
    name: `${displayName} login`,
    redirect_uris: [REDIRECT],
    service_id: service.serviceId,
    public_key: key.publicKey,
    encrypted_private_key: key.encryptedPrivateKey,
    ...more,
  }
  const made = await bodyOf(company.portal('POST', '/api/account/oauth-apps', { body }), 201)
  const front = world.frontDoor.url
  const svc = { ...service.client, redirectUri: REDIRECT }
  return {
    service,
    app: { clientId: String(made['client_id']), clientSecret: String(made['client_secret']), redirectUri: REDIRECT },
    svc,
    address: ({ query }) => `${front}/oauth2/authorize?${new URLSearchParams(query).toString()}`,
    enrolment(further = {}) {
      const state = randomBytes(16).toString('base64url')
      const query = { client_id: svc.clientId, mode: '2fa_enroll', redirect_uri: REDIRECT, state, ...further }
      return { verifier: '', query }
    },
    result: ({ clientId, clientSecret }, { query }) =>
      postForm(`${front}/oauth2/result`, {
        client_id: clientId,
        client_secret: clientSecret ?? '',
        state: String(query['state']),
      }),
    async open(wrapper) {
      const opening = await importOpeningKey(platform, key.privateKey)
      const opened = opening.ok ? await openWrapper(platform, opening.value, String(wrapper)) : opening
      if (!opened.ok) throw new Error('not sealed to the app')
      return opened.value
    },
  }
}

export { attempt }

/** The page of the app at the end of the way; answers the parameters that it got. */
export async function watchCallback(context: BrowserContext): Promise<() => Promise<URLSearchParams>> {
  const arrived = Promise.withResolvers<URLSearchParams>()
  await context.route(`${REDIRECT}**`, async (route) => {
    arrived.resolve(new URL(route.request().url()).searchParams)
    await route.fulfill({ contentType: 'text/plain', body: 'back at the app' })
  })
  return () => arrived.promise
}
