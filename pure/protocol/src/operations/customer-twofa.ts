import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { AnsweredChallenge, Enrollment, ReceivedChallenge } from '../wire/challenge.ts'
import { pageQuery } from '../wire/paging.ts'
import { nullableText } from '../wire/scalars.ts'
import { DeviceAssertion } from './account-security.ts'

/** Companies reach these routes too and get `company_connections.persons_only` there. */
const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const challenge = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the challenge.' }) })
const service = Type.Object({ serviceId: Type.String({ format: 'uuid', description: 'The id of the service.' }) })
const listed = { total: Type.Integer({ minimum: 0 }), next_cursor: nullableText() }

export const listReceivedChallenges = defineOperation({
  id: 'customer_twofa.list_challenges',
  method: 'GET',
  path: '/api/customer/2fa/challenges',
  document: 'customer',
  summary: 'Logins that wait for your approval',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: {
    status: 200,
    about: 'The pending challenges, oldest first',
    body: Type.Object({ challenges: Type.Array(ReceivedChallenge), ...listed }),
  },
  errors: ['company_connections.persons_only'],
})

export const approveChallenge = defineOperation({
  id: 'customer_twofa.approve',
  method: 'POST',
  path: '/api/customer/2fa/challenges/{id}/approve',
  document: 'customer',
  summary: 'Approve a login',
  description:
    'A trusted device of yours signs the id of the challenge, after it was unlocked. With number matching, ' +
    '`matching_digits` are those of the login page; the third wrong attempt denies the login.',
  callers: customers,
  rate: 'data',
  params: challenge,
  body: Type.Object({
    matching_digits: Type.Optional(nullableText({ maxLength: 16 })),
    assertion: DeviceAssertion,
  }),
  success: { status: 200, about: 'The login is approved', body: AnsweredChallenge },
  errors: [
    'company_connections.persons_only',
    'twofa.challenge_not_found',
    'twofa.challenge_closed',
    'twofa.digits_mismatch',
    'twofa.unavailable',
  ],
})

export const denyChallenge = defineOperation({
  id: 'customer_twofa.deny',
  method: 'POST',
  path: '/api/customer/2fa/challenges/{id}/deny',
  document: 'customer',
  summary: 'Deny a login',
  callers: customers,
  rate: 'data',
  allowsEmptyBody: true,
  params: challenge,
  body: Type.Object({}),
  success: { status: 200, about: 'The login is denied', body: AnsweredChallenge },
  errors: [
    'company_connections.persons_only',
    'twofa.challenge_not_found',
    'twofa.challenge_closed',
    'twofa.unavailable',
  ],
})

export const reportChallenge = defineOperation({
  id: 'customer_twofa.report',
  method: 'POST',
  path: '/api/customer/2fa/challenges/{id}/report',
  document: 'customer',
  summary: 'Report a login that you did not start',
  description:
    'Denies it, and for an hour the service cannot ask you: its calls are answered as if you were not enrolled. A ' +
    'challenge with an outcome can be reported, too, and keeps that outcome.',
  callers: customers,
  rate: 'data',
  allowsEmptyBody: true,
  params: challenge,
  body: Type.Object({}),
  success: { status: 200, about: 'The service is muted; the outcome of the challenge', body: AnsweredChallenge },
  errors: ['company_connections.persons_only', 'twofa.challenge_not_found', 'twofa.unavailable'],
})

export const listEnrollments = defineOperation({
  id: 'customer_twofa.list_enrollments',
  method: 'GET',
  path: '/api/customer/2fa/enrollments',
  document: 'customer',
  summary: 'Services whose logins you approve',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: {
    status: 200,
    about: 'The enrolments, in the order of their services',
    body: Type.Object({ enrollments: Type.Array(Enrollment), ...listed }),
  },
  errors: ['company_connections.persons_only'],
})

export const readEnrollment = defineOperation({
  id: 'customer_twofa.read_enrollment',
  method: 'GET',
  path: '/api/customer/2fa/enrollments/{serviceId}',
  document: 'customer',
  summary: 'One enrolment',
  callers: customers,
  rate: 'data',
  params: service,
  success: { status: 200, about: 'The enrolment', body: Enrollment },
  errors: ['company_connections.persons_only', 'twofa.enrollment_not_found'],
})

export const revokeEnrollment = defineOperation({
  id: 'customer_twofa.revoke_enrollment',
  method: 'DELETE',
  path: '/api/customer/2fa/enrollments/{serviceId}',
  document: 'customer',
  summary: 'End an enrolment',
  description: 'Pending challenges of the service are revoked, and it can raise no further ones.',
  callers: customers,
  rate: 'data',
  params: service,
  success: { status: 204, about: 'The enrolment has ended' },
  errors: ['company_connections.persons_only', 'twofa.enrollment_not_found'],
})
