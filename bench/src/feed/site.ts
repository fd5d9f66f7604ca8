import {
  type AppProcess,
  type CompanyPersona,
  forge,
  harborline,
  type Installation,
  northwind,
  payloadOf,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { requestDataToken } from '../data-token.ts'

/** A region whose database is filled with feeds of one company. */
export interface FeedRegion {
  readonly app: AppProcess
  readonly databaseUrl: string
  /** The application name of its database connections. */
  readonly applicationName: string
  readonly companyId: string
  /** A token of a client, as the front door signs it. */
  token(clientId: string): Promise<string>
}

export interface FeedSite {
  readonly installation: Installation
  /** With very many feeds. */
  readonly large: FeedRegion
  /** With few feeds; both run at the same time, so that other load on the machine affects both. */
  readonly few: FeedRegion
}

const SETTINGS = {
  ...UNLIMITED_RATES,
  DATABASE_POOL: '5',
  // The background work of a worker would disturb the measurement.
  REGION_ROLES: 'api',
}

export async function startFeedSite(context: ScenarioContext): Promise<FeedSite> {
  const installation = await startInstallation({ settings: SETTINGS, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  return {
    installation,
    large: await openFeedRegion(installation, 'eu', northwind),
    few: await openFeedRegion(installation, 'us', harborline),
  }
}

async function openFeedRegion(
  installation: Installation,
  code: 'eu' | 'us',
  company: CompanyPersona,
): Promise<FeedRegion> {
  const { clientId, companyId } = company
  const { token } = await requestDataToken(installation, company)
  const { iat: _iat, exp: _exp, ...claims } = payloadOf(token)
  const place = { ...installation, clock: { now: () => Date.now() } }
  return {
    app: installation[code],
    databaseUrl: installation.environment[code]['DATABASE_URL'] ?? '',
    applicationName: `sealpost-region-${code}`,
    companyId,
    token: (client) =>
      forge(place, { ...claims, sub: claims.sub === clientId ? client : claims.sub, client_id: client }),
  }
}
