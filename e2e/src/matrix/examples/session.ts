import { randomUUID } from 'node:crypto'
import { APP_ORIGIN, logIn, prepareSignUp } from '@sealpost/testkit'
import type { Examples, Making, Parts } from '../example.ts'

const origin = { origin: APP_ORIGIN }
let registration: Promise<Readonly<Record<string, unknown>>> | null = null

export const sessionExamples: Examples = {
  'session.read_params': { make: ({ owner }) => ({ query: { email: owner.login.email } }) },
  'session.open': {
    make: ({ owner }) => ({
      body: { email: owner.login.email, auth_verifier: owner.login.authVerifier },
      headers: origin,
    }),
  },
  'session.refresh': {
    make: async (making) => ({ body: { user_type: making.owner.type }, headers: await freshCookies(making) }),
  },
  'session.close': {
    make: async (making): Promise<Parts> => ({
      query: { user_type: making.owner.type },
      headers: await freshCookies(making),
    }),
  },
  // A new address each time: the number of mails per address and hour is limited.
  'account.register': {
    make: async () => ({ body: { ...(await registrationOnce()), email: `${randomUUID()}@people.example` } }),
  },
  // An unknown token; its error key differs from those of the gates.
  'account.confirm_registration': {
    make: () => ({ body: { email: 'unknown@people.example', code: '000000', registration_token: 'unknown' } }),
    answers: () => ({ status: 400, key: 'request.invalid' }),
  },
}

/** A new session, so that the tokens of the callers stay valid. */
async function freshCookies({ world, owner }: Making): Promise<Readonly<Record<string, string>>> {
  const { cookies } = await logIn(world.sites, owner.login)
  return { ...origin, cookie: cookies.join('; ') }
}

/** Created once, because making keys is slow and the answer is the same for every repetition. */
function registrationOnce(): Promise<Readonly<Record<string, unknown>>> {
  registration ??= prepareSignUp({ userType: 'person', region: 'eu' }).then(({ body }) => ({ ...body }))
  return registration
}
