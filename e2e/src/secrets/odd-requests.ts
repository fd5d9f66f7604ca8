import type { Signed } from './account-stage.ts'
import type { MachineClient } from './client-stage.ts'
import type { RecordingClient } from './recording-client.ts'

/** Sends secrets in wrong places, as faulty programs and users do; any answer is accepted. */
export async function sendOddRequests(http: RecordingClient, signed: Signed, client: MachineClient): Promise<void> {
  const { send, installation } = http
  const front = installation.frontDoor.url
  const { clientId, clientSecret, token } = client
  const { password, email, authVerifier } = signed.user
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  for (const base of [front, signed.apiUrl]) {
    for (const secret of [clientSecret, token, encodeURIComponent(password)]) {
      await send(`${base}/api/company-data/whoami?access_token=${secret}`)
      await send(`${base}/api/${secret}`)
      await send(`${base}/api/account/clients/${secret}`, { bearer: token, method: 'DELETE' })
      await send(`${base}/oauth2/token?client_secret=${secret}`, { form: { grant_type: 'client_credentials' } })
      await send(`${base}/api/account`, { headers: { authorization: `Basic ${secret}` } })
      await send(`${base}/api/account`, { bearer: `${secret}.${secret}.x` })
      await send(`${base}/api/account`, {
        headers: { 'user-agent': secret, referer: `https://x.example/?t=${secret}` },
      })
      await send(`${base}/api/account`, { headers: { cookie: `odd=${secret}`, 'x-odd': secret, traceparent: secret } })
      await send(`${base}/api/account`, { headers: { origin: `https://${secret.slice(0, 60)}.example` } })
    }
    await send(`${base}/api/session`, { text: `{"email":"${email}","auth_verifier":"${authVerifier}"` })
    await send(`${base}/api/session`, {
      text: `<login><password>${password}</password>`,
      headers: { 'content-type': 'application/xml' },
    })
    await send(`${base}/api/session`, { text: password, headers: { 'content-type': 'text/plain' } })
    await send(`${base}/oauth2/token`, {
      headers: { authorization: `Basic ${basic}` },
      form: { grant_type: 'password', password },
    })
  }
  await sendOddMembers(http, signed, client)
}

async function sendOddMembers(
  { send, installation }: RecordingClient,
  signed: Signed,
  client: MachineClient,
): Promise<void> {
  const front = installation.frontDoor.url
  const { password, authVerifier } = signed.user
  const { clientSecret, token } = client
  const jar = { cookies: [`__Secure-session-company=${clientSecret}`, `__Secure-device-company=${token}`] }
  await send(`${front}/api/session`, { json: { email: password, auth_verifier: authVerifier }, jar })
  await send(`${front}/api/session`, {
    json: { email: 'a@b.example', auth_verifier: password, odd: clientSecret },
    jar,
  })
  await send(`${front}/api/session`, { json: { email: { deep: [password] }, auth_verifier: [authVerifier] }, jar })
  await send(`${front}/api/session/refresh`, { json: { user_type: clientSecret }, jar })
  await send(`${front}/api/session/refresh`, { json: { user_type: 'company', acting_for: token.slice(0, 60) }, jar })
  await send(`${front}/api/account/register`, {
    json: { email: password, auth_verifier: authVerifier, region: clientSecret },
  })
  await send(`${front}/api/account/register/confirm`, {
    json: { email: signed.user.email, code: password, registration_token: clientSecret },
  })
  await send(`${front}/oauth2/authorize?client_id=${clientSecret}&redirect_uri=https://x.example/?t=${token}`)
  await send(`${front}/oauth2/authorize`, {
    form: { client_id: client.clientId, email: password, auth_verifier: authVerifier },
  })
  await send(`${front}/oauth2/token`, {
    form: { grant_type: clientSecret, client_id: clientSecret, client_secret: token },
  })
  await send(`${front}/oauth2/token`, {
    form: {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: client.clientId,
      client_secret: clientSecret,
    },
  })
  await send(`${front}/oauth2/result`, {
    form: { client_id: client.clientId, client_secret: clientSecret, state: 'x'.repeat(32) },
  })
  await send(`${front}/oauth2/revoke`, {
    form: { token: clientSecret, client_id: client.clientId, client_secret: token },
  })
  const bearer = signed.token
  await send(`${signed.apiUrl}/api/account/clients`, {
    bearer,
    json: { name: 1, purpose: clientSecret, redirect_uri: token },
  })
  await send(`${signed.apiUrl}/api/account/password`, { bearer, method: 'PUT', json: { auth_verifier: password } })
  await send(`${signed.apiUrl}/api/account/2fa`, {
    bearer,
    json: { auth_verifier: authVerifier, code: password.slice(0, 32) },
  })
}
