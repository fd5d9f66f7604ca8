import { readXml } from '@sealpost/http'
import { isSealpostError, ServiceClient } from '@sealpost/sdk'
import { companies, type CompanyPersona, harborline, type Installation, northwind } from '@sealpost/testkit'
import type { Checks } from './checks.ts'
import { isRecord, isWhoami, json, requestToken } from './wire.ts'

/** The front door, tokens, home regions and the SDK. */
export async function checkAccess(checks: Checks, { frontDoor, eu, us }: Installation): Promise<void> {
  await checkFrontDoor(checks, frontDoor.url, [eu.url, us.url])
  await checkCompany(checks, frontDoor.url, northwind, { home: eu.url, other: us.url })
  await checkCompany(checks, frontDoor.url, harborline, { home: us.url, other: eu.url })
  await checkSdk(checks, frontDoor.url)
}

async function checkFrontDoor(checks: Checks, url: string, apiUrls: readonly string[]): Promise<void> {
  const regions = await json(`${url}/api/regions`)
  checks.check('the front door lists both regions', sameText(regions['items'], apiUrls, 'api_url'))
  checks.check('the front door is healthy', (await json(`${url}/api/health`))['status'] === 'ok')
  checks.check('the signing keys are published', listLength((await json(`${url}/oauth2/jwks`))['keys']) > 0)
  const metadata = await json(`${url}/.well-known/oauth-authorization-server`)
  checks.check('discovery names the token endpoint', metadata['token_endpoint'] === `${url}/oauth2/token`)
  const { openapi } = await json(`${url}/api/openapi/company-data.json`)
  checks.check('the company-data API is described', openapi === '3.1.0')
  checks.check('the API reference opens', (await fetch(`${url}/api/docs`)).ok)
}

async function checkCompany(
  checks: Checks,
  frontDoor: string,
  company: CompanyPersona,
  { home, other }: { readonly home: string; readonly other: string },
): Promise<void> {
  const token = await requestToken(frontDoor, company)
  checks.check(`${company.companyName} gets a token and is sent to its home`, token['api_url'] === home)
  const headers = { authorization: `Bearer ${String(token['access_token'])}` }
  const whoami = '/api/company-data/whoami'
  const here = await json(`${home}${whoami}`, headers)
  checks.check('whoami names company and service', isWhoami(here, company))
  const xml = await fetch(`${home}${whoami}`, { headers: { ...headers, accept: 'application/xml' } })
  checks.check('the same answer comes as XML', isWhoami(readXml(await xml.text()), company))
  for (const [place, base] of [
    ['the other region', other],
    ['the front door', frontDoor],
  ] as const) {
    const misplaced = await fetch(`${base}${whoami}`, { headers })
    const body: unknown = await misplaced.json()
    const isRight = misplaced.status === 421 && isRecord(body) && body['api_url'] === home
    checks.check(
      `${place} answers 421 with the home's address`,
      isRight && body['error_key'] === 'region.rebase_required',
    )
  }
  const bare = await fetch(`${home}${whoami}`)
  checks.check('without a token: 401', bare.status === 401 && bare.headers.get('www-authenticate') === 'Bearer')
}

async function checkSdk(checks: Checks, frontDoorUrl: string): Promise<void> {
  for (const { clientId, clientSecret, companyName, serviceId } of companies) {
    const answer = await new ServiceClient({ frontDoorUrl, clientId, clientSecret }).whoami()
    checks.check(`the SDK reaches ${companyName}`, answer.service_id === serviceId)
  }
  const { clientId } = northwind
  const wrong = new ServiceClient({ frontDoorUrl, clientId, clientSecret: 'wrong' })
  const error = await wrong.whoami().catch((reason: unknown) => reason)
  checks.check('a wrong secret is refused by key', isSealpostError(error, 'oauth.bad_client'))
}

function sameText(items: unknown, expected: readonly string[], member: string): boolean {
  if (!Array.isArray(items)) return false
  return items.map((item: unknown) => (isRecord(item) ? item[member] : null)).join() === expected.join()
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
