import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { defineTell } from '../tell.ts'
import { challengeOutcomes } from '../wire/challenge.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

const connected = { company_id: Uuid, service_id: Uuid, connection_id: Uuid, customer_id: Uuid } as const
/** Rises with every enrolment and revocation of the pair, at the customer's side. */
const rev = Type.Integer({ minimum: 1 })
export const challengeAnswers = ['approve', 'deny', 'report'] as const
export type ChallengeAnswer = (typeof challengeAnswers)[number]
const outcome = Type.Enum([...challengeOutcomes])

/** To the service's region. A new enrolment needs a company of level pro. */
export const enrollAsk = defineAsk({
  command: 'twofa.enroll',
  idempotency: 'stored',
  body: Type.Object({ ...connected, rev }),
  reply: Type.Union([
    Type.Object({ outcome: Type.Literal('enrolled'), enrolled_at: Timestamp }),
    Type.Object({ outcome: Type.Enum(['not_connected', 'level_required']) }),
  ]),
})

/** To the customer's region, in the order of the connection. The reply of `enrollAsk` may be lost; this tell cannot. */
export const enrolledTell = defineTell({
  kind: 'twofa.enrolled',
  version: 1,
  body: Type.Object({ ...connected, rev, enrolled_at: Timestamp }),
})

const revocation = Type.Object({ ...connected, rev })

/** To the service's region: takes effect before the reply. The tell of the same revocation follows. */
export const revokeEnrollmentAsk = defineAsk({
  command: 'twofa.revoke_enrollment',
  idempotency: 'stored',
  body: revocation,
  reply: Type.Object({}),
})

export const enrollmentRevokedTell = defineTell({ kind: 'twofa.enrollment_revoked', version: 1, body: revocation })

/** To the customer's region, in the order of the connection. The digits stay in the service's region. */
export const challengeRaisedTell = defineTell({
  kind: 'twofa.challenge_raised',
  version: 1,
  body: Type.Object({
    ...connected,
    challenge: Type.Object({
      id: Uuid,
      context: nullableText(),
      number_matching: Type.Boolean(),
      created_at: Timestamp,
      expires_at: Timestamp,
    }),
  }),
})

const closed = { status: outcome, completed_at: Timestamp } as const

export const challengeClosedTell = defineTell({
  kind: 'twofa.challenge_closed',
  version: 1,
  body: Type.Object({ ...connected, challenge_id: Uuid, ...closed }),
})

/** To the service's region, which decides. Each wrong attempt at the digits counts, so a repetition is a new attempt. */
export const answerChallengeAsk = defineAsk({
  command: 'twofa.answer_challenge',
  idempotency: 'none',
  body: Type.Object({
    ...connected,
    challenge_id: Uuid,
    answer: Type.Enum([...challengeAnswers]),
    matching_digits: nullableText(),
  }),
  reply: Type.Union([
    Type.Object({ outcome: Type.Literal('closed'), ...closed }),
    Type.Object({ outcome: Type.Enum(['not_found', 'unavailable', 'paused', 'digits_mismatch']) }),
  ]),
})
export type AnswerReply = ReturnType<(typeof answerChallengeAsk)['parseReply']>

const consenting = { user_id: Uuid, service_id: Uuid } as const

/** Of the front door, to the person's home. */
export const readEnrollmentAsk = defineAsk({
  command: 'twofa.read_enrollment',
  idempotency: 'none',
  body: Type.Object(consenting),
  reply: Type.Object({ is_enrolled: Type.Boolean() }),
})

/** Of the front door, to the person's home, which asks the service's region. Refusals are those of the consent. */
export const consentToEnrollAsk = defineAsk({
  command: 'twofa.consent_to_enroll',
  idempotency: 'none',
  body: Type.Object(consenting),
  reply: Type.Object({}),
})
