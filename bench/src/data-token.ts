import { askToken, type CompanyPersona, type Installation } from '@sealpost/testkit'

/** An access token of the data client of a persona. */
export async function requestDataToken(
  installation: Pick<Installation, 'frontDoor'>,
  { clientId, clientSecret }: Pick<CompanyPersona, 'clientId' | 'clientSecret'>,
): Promise<{ readonly token: string; readonly apiUrl: string }> {
  const { body, text } = await askToken({ frontDoor: installation.frontDoor }, clientId, clientSecret)
  if (typeof body['access_token'] !== 'string') throw new Error(`no token: ${text}`)
  return { token: body['access_token'], apiUrl: String(body['api_url']) }
}
