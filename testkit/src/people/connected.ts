import type { CompanyPersona } from '../personas.ts'
import { bodyOf } from './call.ts'
import { type Calls, callsWith } from './client-calls.ts'
import { logIn, type PeoplePlace, type SignUp, signUp, type TestUser } from './people.ts'

/** A new customer of a persona's service that shares no value yet. */
export interface ConnectedUser {
  readonly user: TestUser
  readonly token: string
  readonly calls: Calls
  readonly connectionId: string
}

/** Signs up, logs in and connects. */
export async function connectNewUser(
  place: PeoplePlace,
  wanted: SignUp,
  { shareCode, service }: Pick<CompanyPersona, 'shareCode' | 'service'>,
): Promise<ConnectedUser> {
  const user = await signUp(place, wanted)
  const { apiUrl, token } = await logIn(place, user)
  const calls = callsWith(apiUrl, token)
  const body = { code: `${shareCode}/${service.shareCode}`, decisions: [] }
  const made = await bodyOf(calls('POST', '/api/company-connections', { body }), 201)
  return { user, token, calls, connectionId: String(made['id']) }
}
