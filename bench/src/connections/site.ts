import {
  callsWith,
  type Installation,
  logIn,
  northwind,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { requestDataToken } from '../data-token.ts'

/** An installation with one service that requests three values. */
export interface Site {
  readonly installation: Installation
  readonly databaseUrl: string
  readonly companyId: string
  readonly serviceId: string
  /** The ids of the request rows, in order. */
  readonly fields: readonly string[]
  /** The headers of a call of the data client. */
  readonly headers: Readonly<Record<string, string>>
  /** As the data client. */
  readonly call: Call
  /** As the company. */
  readonly asPortal: Call
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Body = Readonly<Record<string, unknown>>
/** Throws on anything but success. */
export type Call = (method: Method, path: string, body?: unknown) => Promise<Body>

const SLUGS = ['first_name', 'last_name', 'city']

export async function startSite(context: ScenarioContext): Promise<Site> {
  const installation = await startInstallation({ settings: UNLIMITED_RATES, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const { token, apiUrl } = await requestDataToken(installation, northwind)
  const call = requiring(callsWith(apiUrl, token))
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
    asPortal: requiring(callsWith(session.apiUrl, session.token)),
  }
}

/** Publishes text rows with these slugs and removes all others; rows that stay keep their ids. Returns the ids. */
export async function publishRows(call: Call, slugs: readonly string[]): Promise<readonly string[]> {
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

function requiring(calls: ReturnType<typeof callsWith>): Call {
  return async (method, path, body) => {
    const answer = await calls(method, path, body === undefined ? {} : { body })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
}
