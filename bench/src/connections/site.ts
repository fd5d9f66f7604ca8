import {
  askToken,
  callsWith,
  type Installation,
  logIn,
  northwind,
  type ScenarioContext,
  startInstallation,
} from '@sealpost/testkit'

/** An installation with one service that asks for three values. */
export interface Site {
  readonly installation: Installation
  readonly databaseUrl: string
  readonly companyId: string
  readonly serviceId: string
  /** The request rows, in their order. */
  readonly fields: readonly string[]
  /** Of the data client. */
  readonly headers: Readonly<Record<string, string>>
  readonly call: Demand
  /** As the company itself. */
  readonly asPortal: Demand
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Body = Readonly<Record<string, unknown>>
/** Anything but success ends the run. */
export type Demand = (method: Method, path: string, body?: unknown) => Promise<Body>

/** One caller asks everything here: sizes of buckets are settings, the taking stays. */
const WIDE = '60000000'
const WIDE_LIMITS = { RATE_TOKEN: WIDE, RATE_DATA: WIDE, RATE_CONNECTIONS: WIDE, RATE_CHANGES: WIDE }
const SLUGS = ['first_name', 'last_name', 'city']

export async function startSite(context: ScenarioContext): Promise<Site> {
  const installation = await startInstallation({ settings: WIDE_LIMITS, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const { token, apiUrl } = await dataToken(installation)
  const call = demanding(callsWith(apiUrl, token))
  const { email, login, companyId, serviceId } = northwind
  const session = await logIn(installation, { email, authVerifier: login.authVerifier })
  return {
    installation,
    databaseUrl: installation.environment.eu['DATABASE_URL'] ?? '',
    companyId,
    serviceId,
    fields: await publishRows(call, SLUGS),
    headers: { authorization: `Bearer ${token}` },
    call,
    asPortal: demanding(callsWith(session.apiUrl, session.token)),
  }
}

/** Publishes text rows with these slugs in the place of all others; those that stay keep their ids. Answers the ids. */
export async function publishRows(call: Demand, slugs: readonly string[]): Promise<readonly string[]> {
  const path = '/api/company-data/request-fields'
  const published = await call('GET', path)
  const known = rowsOf(published)
  const request_fields = slugs.map((slug) => {
    const row = known.find((one) => one.slug === slug)
    return { ...(row === undefined ? {} : { id: row.id }), slug, label: slug, type: 'text' }
  })
  const answer = await call('PUT', path, { config_token: published['config_token'], request_fields })
  return rowsOf(answer).map(({ id }) => id)
}

interface Row {
  readonly id: string
  readonly slug: string
}

function rowsOf(answer: Body): readonly Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract of the route
  return answer['request_fields'] as readonly Row[]
}

async function dataToken(installation: Installation): Promise<{ readonly token: string; readonly apiUrl: string }> {
  const { body, text } = await askToken(installation, northwind.clientId, northwind.clientSecret)
  if (typeof body['access_token'] !== 'string') throw new Error(`no token: ${text}`)
  return { token: body['access_token'], apiUrl: String(body['api_url']) }
}

function demanding(calls: ReturnType<typeof callsWith>): Demand {
  return async (method, path, body) => {
    const answer = await calls(method, path, body === undefined ? {} : { body })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
}
