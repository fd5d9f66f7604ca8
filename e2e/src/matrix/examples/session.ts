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
  // An address of its own each time: only so many mails go to one within an hour.
  'account.register': {
    make: async () => ({ body: { ...(await registrationOnce()), email: `${randomUUID()}@people.example` } }),
  },
  // Right codes are mailed; a wrong one is told apart from a gate by its key.
  'account.confirm_registration': {
    make: () => ({ body: { email: 'nobody@people.example', code: '000000' } }),
    answers: () => ({ status: 400, key: 'request.invalid' }),
  },
}

/** Of a session of its own: the tokens of the callers stay as they are. */
async function freshCookies({ world, owner }: Making): Promise<Readonly<Record<string, string>>> {
  const { cookies } = await logIn(world.sites, owner.login)
  return { ...origin, cookie: cookies.join('; ') }
}

/** Making keys takes its time, and the answer is the same for every repetition. */
function registrationOnce(): Promise<Readonly<Record<string, unknown>>> {
  registration ??= prepareSignUp({ userType: 'person', region: 'eu' }).then(({ body }) => ({ ...body }))
  return registration
}
