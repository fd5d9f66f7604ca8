import type { TwoRegions } from '../two-regions.ts'
import { type Answer, call } from './call.ts'
import { type LoggedIn, type LogIn, logIn, type TestUser } from './people.ts'

export interface Owner extends LoggedIn {
  readonly user: TestUser
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

/** Logs a user in. */
export async function ownerOf(two: TwoRegions, user: TestUser, options: LogIn = {}): Promise<Owner> {
  const session = await logIn(two, user, options)
  return { ...session, user, call: (method, path, body) => call(session, method, path, { body }) }
}
