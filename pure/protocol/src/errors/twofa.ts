import Type from 'typebox'
import { Timestamp } from '../wire/scalars.ts'
import { area } from './entry.ts'

/** Approval of a login by a connected person. */
export const twofaErrors = area({
  'twofa.share_code_required': {
    status: 400,
    sentence: 'The challenge names no person',
    remedy: 'Send `share_code` of the person who is logging in.',
  },
  'twofa.idempotency_key_required': {
    status: 400,
    sentence: 'The challenge has no idempotency_key',
    remedy: 'Send `idempotency_key` in the body, one per login attempt, so that a retry cannot raise a second card.',
  },
  'twofa.idempotency_conflict': {
    status: 409,
    sentence: 'This idempotency_key was used for another challenge',
    remedy: 'Use a new key for every login attempt; repeat one only with the same share code and context.',
  },
  'twofa.context_too_long': {
    status: 400,
    sentence: 'The context is longer than a card can show',
    remedy: 'Send at most 200 characters.',
  },
  'twofa.person_not_found': {
    status: 404,
    sentence: 'No person with this share code is enrolled for this service',
    remedy: 'Let the person enrol first; an unknown code and a missing enrolment answer alike.',
  },
  'twofa.challenge_not_found': {
    status: 404,
    sentence: 'There is no such challenge',
    remedy: 'Raise a new one; challenges and their results are kept for a day at most.',
  },
  'twofa.challenge_closed': {
    status: 409,
    sentence: 'This challenge has another outcome already',
    remedy: 'Remove the card; `status` names the outcome, which is final.',
    details: Type.Object({
      status: Type.Enum(['approved', 'denied', 'expired', 'revoked']),
      completed_at: Timestamp,
    }),
  },
  'twofa.enrollment_not_found': {
    status: 404,
    sentence: 'You are not enrolled for this service',
    remedy: 'Read `GET /api/customer/2fa/enrollments`; the enrolment may have ended with its connection.',
  },
  'twofa.pending_cap': {
    status: 429,
    sentence: 'This person has too many open challenges of this service',
    remedy: 'Wait until one is answered or lapses; repeating the call does not help.',
  },
  'twofa.digits_mismatch': {
    status: 400,
    sentence: 'The digits do not match the login page',
    remedy: 'Type the two digits of the login page; the third wrong attempt denies the login.',
  },
  'twofa.result_consumed': {
    status: 410,
    sentence: 'The outcome of this challenge was already delivered',
    remedy: 'Use the outcome of the first read; if it was lost, refuse the login and raise a new challenge.',
  },
  'twofa.unavailable': {
    status: 503,
    sentence: 'Challenges cannot be reached right now; nothing was consumed',
    remedy: 'Repeat the call after the seconds in `Retry-After`; this is not an outcome.',
    retryAfterSeconds: 5,
  },
})
