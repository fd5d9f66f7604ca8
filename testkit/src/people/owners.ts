import type { TwoRegions } from '../two-regions.ts'
import { type Answer, call } from './call.ts'
import { type LoggedIn, type LogIn, logIn, type SignUp, signUp, type TestUser } from './people.ts'

export interface Owner extends LoggedIn {
  readonly user: TestUser
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

/** A new user, signed up and logged in. */
export async function newOwner(
  two: TwoRegions,
  { userType = 'person', region = 'eu', email }: Partial<SignUp> = {},
): Promise<Owner> {
  const user = await signUp(two, { userType, region, ...(email === undefined ? {} : { email }) })
  return ownerOf(two, user)
}

export async function ownerOf(two: TwoRegions, user: TestUser, options: LogIn = {}): Promise<Owner> {
  const session = await logIn(two, user, options)
  return { ...session, user, call: (method, path, body) => call(session, method, path, { body }) }
}
