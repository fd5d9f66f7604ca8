import type { Example, Examples } from '../example.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'

/** The 404 shows that the caller passed the gates. */
const ofMissing = (body?: Example extends never ? never : Record<string, unknown>): Example => ({
  make: () => ({ params: { id: MISSING }, ...(body === undefined ? {} : { body }) }),
  answers: () => ({ status: 404, key: 'twofa.challenge_not_found' }),
})
