import { isKnown } from '../callers.ts'
import type { Example, Examples } from '../example.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
/** Of the form of a signature: the card does not exist, so none is checked. */
const ASSERTION = { device_id: MISSING, signature: 'AAAA' }

type Answers = NonNullable<Example['answers']>

const forPersons =
  (key: string | null): Answers =>
  ({ caller }) => {
    if (!isKnown(caller) || !caller.is.includes('person'))
      return { status: 403, key: 'company_connections.persons_only' }
    return key === null ? undefined : { status: 404, key }
  }

/** The 404 shows that a person passed the gates; companies are refused before any look-up. */
const ofCard = (body: Readonly<Record<string, unknown>>): Example => ({
  make: () => ({ params: { id: MISSING }, body }),
  answers: forPersons('twofa.challenge_not_found'),
})
const ofEnrollment: Example = {
  make: () => ({ params: { serviceId: MISSING } }),
  answers: forPersons('twofa.enrollment_not_found'),
}
const ofPerson: Example = { answers: forPersons(null) }

export const twofaExamples: Examples = {
  'twofa.raise': {
    make: () => ({ body: { share_code: 'ZZZZZZ', idempotency_key: 'made-for-a-cell' } }),
    answers: () => ({ status: 404, key: 'twofa.person_not_found' }),
  },
  'twofa.poll': {
    make: () => ({ params: { challenge_id: MISSING } }),
    answers: () => ({ status: 404, key: 'twofa.challenge_not_found' }),
  },
  'customer_twofa.list_challenges': ofPerson,
  'customer_twofa.approve': ofCard({ assertion: ASSERTION }),
  'customer_twofa.deny': ofCard({}),
  'customer_twofa.report': ofCard({}),
  'customer_twofa.list_enrollments': ofPerson,
  'customer_twofa.read_enrollment': ofEnrollment,
  'customer_twofa.revoke_enrollment': ofEnrollment,
}
