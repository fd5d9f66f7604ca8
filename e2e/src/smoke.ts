import { readXml } from '@sealpost/http'
import { readSettings } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, regionSettings } from '@sealpost/region'
import { isSealpostError, ServiceClient } from '@sealpost/sdk'
import {
  appProcess,
  companies,
  type CompanyPersona,
  harborline,
  type Installation,
  northwind,
  reservePort,
  startInstallation,
} from '@sealpost/testkit'

/** `npm run smoke`: real processes, two regions; every hop of the thread is walked, checked and printed. */
const hops: { name: string; isGood: boolean }[] = []

const installation = await startInstallation({
  settings: { STRICT_CONTRACT: '1', LOG_LEVEL: 'warn' },
  onStep: (step) => console.log(`      ${step}`),
})
try {
  await walk(installation)
} catch (error) {
  hop(`no hop throws: ${String(error)}`, false)
  for (const app of [installation.frontDoor, installation.eu, installation.us]) console.log(app.name, app.tail())
} finally {
  await installation.stop()
}
const failed = hops.filter(({ isGood }) => !isGood).length
console.log(`smoke: ${hops.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function walk({ frontDoor, eu, us }: Installation): Promise<void> {
  await walkFrontDoor(frontDoor.url, [eu.url, us.url])
  await walkCompany(frontDoor.url, northwind, eu.url, us.url)
  await walkCompany(frontDoor.url, harborline, us.url, eu.url)
  await walkSdk(frontDoor.url)
  await walkRevocation(installation)
  await walkOutage(installation)
}

async function walkFrontDoor(url: string, apiUrls: readonly string[]): Promise<void> {
  const regions = await json(`${url}/api/regions`)
  hop('the front door lists both regions', sameText(regions['items'], apiUrls, 'api_url'))
  hop('the front door is healthy', (await json(`${url}/api/health`))['status'] === 'ok')
  hop('the signing keys are published', listLength((await json(`${url}/oauth2/jwks`))['keys']) > 0)
  const metadata = await json(`${url}/.well-known/oauth-authorization-server`)
  hop('discovery names the token endpoint', metadata['token_endpoint'] === `${url}/oauth2/token`)
  hop('the company-data API is described', (await json(`${url}/api/openapi/company-data.json`))['openapi'] === '3.1.0')
  hop('the API reference opens', (await fetch(`${url}/api/docs`)).ok)
}

async function walkCompany(frontDoor: string, company: CompanyPersona, home: string, other: string): Promise<void> {
  const token = await requestToken(frontDoor, company)
  hop(`${company.companyName} gets a token and is sent to its home`, token['api_url'] === home)
  const headers = { authorization: `Bearer ${String(token['access_token'])}` }
  const whoami = '/api/company-data/whoami'
  const here = await json(`${home}${whoami}`, headers)
  hop('whoami names company and service', isWhoami(here, company))
  const xml = await fetch(`${home}${whoami}`, { headers: { ...headers, accept: 'application/xml' } })
  hop('the same answer comes as XML', isWhoami(readXml(await xml.text()), company))
  for (const [place, base] of [
    ['the other region', other],
    ['the front door', frontDoor],
  ] as const) {
    const misplaced = await fetch(`${base}${whoami}`, { headers })
    const body: unknown = await misplaced.json()
    const isRight = misplaced.status === 421 && isRecord(body) && body['api_url'] === home
    hop(`${place} answers 421 with the home's address`, isRight && body['error_key'] === 'region.rebase_required')
  }
  const bare = await fetch(`${home}${whoami}`)
  hop('without a token: 401', bare.status === 401 && bare.headers.get('www-authenticate') === 'Bearer')
}

async function walkSdk(frontDoorUrl: string): Promise<void> {
  for (const { clientId, clientSecret, companyName, serviceId } of companies) {
    const answer = await new ServiceClient({ frontDoorUrl, clientId, clientSecret }).whoami()
    hop(`the SDK reaches ${companyName}`, answer.service_id === serviceId)
  }
  const { clientId } = northwind
  const wrong = new ServiceClient({ frontDoorUrl, clientId, clientSecret: 'wrong' })
  const error = await wrong.whoami().catch((reason: unknown) => reason)
  hop('a wrong secret is refused by key', isSealpostError(error, 'oauth.bad_client'))
}

/** Three processes: two of the API, and one that revokes, as an operator's command would. */
async function walkRevocation({ frontDoor, eu, environment }: Installation): Promise<void> {
  const [port, internal] = await Promise.all([reservePort(), reservePort()])
  const own = { LISTEN_PORT: String(port.port), INTERNAL_PORT: String(internal.port) }
  const second = appProcess({ name: 'region eu (2)', app: 'region', environment: { ...environment.eu, ...own } })
  await second.start()
  const token = await requestToken(frontDoor.url, northwind)
  const statuses = (): Promise<number[]> => {
    const headers = { authorization: `Bearer ${String(token['access_token'])}` }
    return Promise.all(
      [eu, second].map(async ({ url }) => (await fetch(`${url}/api/company-data/whoami`, { headers })).status),
    )
  }
  hop('two processes of a region accept a token', (await statuses()).join() === '200,200')
  const region = await openRegionOperations(readSettings(regionSettings, environment.eu), {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
  })
  await region.revokeClientTokens(northwind.companyId, northwind.clientId)
  await region.close()
  hop('once it is revoked, both refuse it', (await statuses()).join() === '401,401')
  await second.stop()
}

async function walkOutage({ frontDoor, us }: Installation): Promise<void> {
  await us.kill()
  const { clientId, clientSecret } = northwind
  const client = new ServiceClient({ frontDoorUrl: frontDoor.url, clientId, clientSecret })
  hop('with one region dead the other serves', (await client.whoami()).service_id === northwind.serviceId)
  const token = await requestToken(frontDoor.url, harborline)
  hop('tokens for the dead region are still issued', token['api_url'] === us.url)
  await us.start()
  const back = new ServiceClient({
    frontDoorUrl: frontDoor.url,
    clientId: harborline.clientId,
    clientSecret: harborline.clientSecret,
  })
  hop('the region comes back', (await back.whoami()).service_id === harborline.serviceId)
  await frontDoor.kill()
  const headers = { authorization: `Bearer ${String(token['access_token'])}` }
  const alone = await json(`${us.url}/api/company-data/whoami`, headers)
  hop('with the front door dead a token goes on working', isWhoami(alone, harborline))
  await us.stop()
  await us.start()
  const restarted = await json(`${us.url}/api/company-data/whoami`, headers)
  hop('a region that starts while the front door is dead still knows its keys', isWhoami(restarted, harborline))
}

function hop(name: string, isGood: boolean): void {
  hops.push({ name, isGood })
  console.log(`${isGood ? '  ok  ' : ' FAIL '}${name}`)
}

async function requestToken(
  frontDoor: string,
  { clientId, clientSecret }: CompanyPersona,
): Promise<Record<string, unknown>> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${frontDoor}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  return record(await answer.json())
}

async function json(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  return record(await (await fetch(url, { headers })).json())
}

function isWhoami(answer: unknown, { companyId, serviceId }: CompanyPersona): boolean {
  return isRecord(answer) && answer['company_user_id'] === companyId && answer['service_id'] === serviceId
}

function sameText(items: unknown, expected: readonly string[], member: string): boolean {
  if (!Array.isArray(items)) return false
  return items.map((item: unknown) => (isRecord(item) ? item[member] : null)).join() === expected.join()
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`expected an object, got ${JSON.stringify(value)}`)
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
