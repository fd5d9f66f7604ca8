import { DIRECTORY, openBus } from '@sealpost/bus'
import { type Gates, openServer, wireOptions } from '@sealpost/http'
import { readSettings } from '@sealpost/kernel'
import type { Limiter } from '@sealpost/redis'
import { openGates } from '@sealpost/testkit/open-gates'
import { exportJWK, generateKeyPair } from 'jose'
import { tokenServices } from '../../../platform/engines.ts'
import type { Platform } from '../../../platform/module.ts'
import { frontDoorSettings } from '../../../settings.ts'
import { createOAuthProvider } from '../engine/provider.ts'
import { bindOAuth } from '../routes.ts'

export interface TokenServer {
  readonly url: string
  ask(client: Credentials): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }>
  close(): Promise<void>
}

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The OAuth routes alone, published as `https://front.example`, with a directory and a pepper that the test chooses. */
export async function startTokenServer(
  given: Pick<Platform, 'clock' | 'ids' | 'database' | 'telemetry'>,
  pepper: string,
): Promise<TokenServer> {
  const settings = readSettings(frontDoorSettings, await environmentOf(pepper))
  const bus = openBus({
    ...given,
    self: DIRECTORY,
    parties: { [DIRECTORY]: null },
    roles: { relay: false, inbox: false, responder: false },
  })
  const platform: Platform = { ...given, ...tokenServices(settings, given), settings, bus, limiter: UNLIMITED }
  const { telemetry, ids } = given
  const server = openServer({ telemetry, ids, ...wireOptions(settings, settings.PUBLIC_URL) })
  bindOAuth(server, OAUTH_GATES, createOAuthProvider(platform), settings.PUBLIC_URL)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    async ask({ clientId, clientSecret }) {
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
      const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    close: () => server.close(1000),
  }
}

const UNLIMITED: Limiter = {
  take: () => Promise.resolve({ outcome: 'allowed', states: [] }),
  giveBack: () => Promise.resolve(),
  isShared: () => true,
  close() {},
}

const OAUTH_GATES: Gates<never> = {
  ...openGates,
  authenticate() {
    throw new Error('OAuth routes take no bearer token')
  },
}

async function environmentOf(pepper: string): Promise<Readonly<Record<string, string>>> {
  return {
    PUBLIC_URL: 'https://front.example',
    AUTH_WEB_URL: 'https://my.example/consent',
    FORWARDER_URL: 'https://forwarder.example',
    DIRECTORY_DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    REGIONS: 'eu|Europe|https://eu.example|nats://unused:4222',
    SIGNING_KEYS: await makeSigningKeys(),
    SECRET_PEPPER: pepper,
    DIRECTORY_KEY: 'a-directory-key-of-32-characters',
  }
}

async function makeSigningKeys(): Promise<string> {
  const keys = await Promise.all(
    ['ES256', 'RS256'].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), kid: alg, alg, use: 'sig' }
    }),
  )
  return JSON.stringify({ keys })
}
