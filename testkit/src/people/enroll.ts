import { randomBytes } from 'node:crypto'
import type { PeoplePlace } from './people.ts'

/** The person consents to approve logins of the client's service, without a redirect. */
export async function enroll(
  { frontDoor }: Pick<PeoplePlace, 'frontDoor'>,
  { clientId }: { readonly clientId: string },
  { token }: { readonly token: string },
): Promise<void> {
  const state = randomBytes(16).toString('base64url')
  const answer = await fetch(`${frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({
      client_id: clientId,
      mode: '2fa_enroll',
      response_mode: 'detached',
      state,
      decision: 'approve',
    }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`not enrolled: ${await answer.text()}`)
}
