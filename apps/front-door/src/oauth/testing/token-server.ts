import type { Bus } from '@sealpost/bus'
import { type Gates, openServer } from '@sealpost/http'
import type { Clock, Ids, Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { exportJWK, generateKeyPair } from 'jose'
import { bindOAuth } from '../../routes/oauth.ts'
import { createOAuthProvider } from '../provider.ts'
import { parseSigningKeys } from '../signing-keys.ts'

export interface TokenServer {
  readonly url: string
  ask(client: Credentials): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }>
  close(): Promise<void>
}

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface TokenServerNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly database: Database
  readonly pepper: Keyring
  readonly telemetry: Telemetry
}

/** The OAuth routes alone, published as `https://front.example`, for a directory and a pepper of the test's choice. */
export async function startTokenServer(needs: TokenServerNeeds): Promise<TokenServer> {
  const { telemetry, ids } = needs
  const server = openServer({
    telemetry,
    ids,
    headerVendor: 'Platform',
    apiVersion: '1',
    trustedProxies: [],
    appOrigins: [],
  })
  const issuer = 'https://front.example'
  const signingKeys = await makeSigningKeys()
  const refresh = { refreshTtlDays: 30, refreshMaxDays: 90 }
  const provider = createOAuthProvider({ ...needs, ...refresh, bus: NO_BUS, issuer, regions: [], signingKeys })
  bindOAuth(server, OPEN_GATES, provider, issuer)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    async ask({ clientId, clientSecret }) {
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
      // oxlint-disable-next-line sealpost/egress -- a test that calls its own server on loopback
      const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    close: () => server.close(1000),
  }
}

const NO_BUS: Pick<Bus, 'ask'> = { ask: () => Promise.reject(new Error('client credentials ask no region')) }

const OPEN_GATES: Gates<never> = {
  checkPlatform() {},
  authenticate() {
    throw new Error('OAuth routes know no bearer')
  },
  checkHome() {},
  checkAccess() {},
  takeFromLimits: () => [],
  checkWrites() {},
  checkLevel() {},
  nameOf: () => 'nobody',
}

async function makeSigningKeys() {
  const keys = await Promise.all(
    ['ES256', 'RS256'].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), kid: alg, alg, use: 'sig' }
    }),
  )
  return parseSigningKeys(JSON.stringify({ keys }))
}
