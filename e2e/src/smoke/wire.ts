import type { CompanyPersona } from '@sealpost/testkit'

export async function requestToken(
  frontDoor: string,
  { clientId, clientSecret }: CompanyPersona,
): Promise<Record<string, unknown>> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${frontDoor}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  return record(await answer.json())
}

export async function json(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  return record(await (await fetch(url, { headers })).json())
}

export function isWhoami(answer: unknown, { companyId, serviceId }: CompanyPersona): boolean {
  return isRecord(answer) && answer['company_user_id'] === companyId && answer['service_id'] === serviceId
}

export function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`expected an object, got ${JSON.stringify(value)}`)
  return value
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
