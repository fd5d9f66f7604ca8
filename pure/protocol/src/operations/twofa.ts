import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { ChallengeState, RaisedChallenge } from '../wire/challenge.ts'
import { requiredByRule } from '../wire/checked-by-rule.ts'
import { nullableText, ShareCode } from '../wire/scalars.ts'

export const raiseChallenge = defineOperation({
  id: 'twofa.raise',
  method: 'POST',
  path: '/api/service-2fa/challenges',
  document: 'company-data',
  summary: 'Ask a person to approve a login',
  description:
    'The person must be enrolled for the service; an unknown code answers the same. `idempotency_key` names one login ' +
    'attempt (1 to 64 characters): repeated within the lifetime of the challenge, the call answers the first body and ' +
    'raises no second card. `context` is shown on the card: plain text of at most 200 characters.',
  callers: ['service_client'],
  rate: 'twofa',
  body: Type.Object({
    share_code: requiredByRule(ShareCode),
    idempotency_key: requiredByRule(Type.String({ minLength: 1, maxLength: 64 })),
    context: Type.Optional(nullableText({ description: 'The text of the card; may be null.' })),
  }),
  success: { status: 200, about: 'The challenge is pending', body: RaisedChallenge },
  errors: [
    'twofa.share_code_required',
    'twofa.idempotency_key_required',
    'twofa.idempotency_conflict',
    'twofa.context_too_long',
    'twofa.person_not_found',
    'twofa.pending_cap',
    'twofa.unavailable',
  ],
})

export const pollChallenge = defineOperation({
  id: 'twofa.poll',
  method: 'GET',
  path: '/api/service-2fa/challenges/{challenge_id}',
  document: 'company-data',
  summary: 'The outcome of a challenge, once',
  description:
    '`{status: "pending", expires_at}` while the person has not answered. The first read of an outcome answers ' +
    '`{status, completed_at}` and consumes it; a later one is 410. Grant the login on `approved` only. A 503 is not an ' +
    'outcome: nothing was consumed, so poll again until `expires_at`. An outcome is kept for a day.',
  callers: ['service_client'],
  rate: 'twofa_poll',
  drains: true,
  ignoresPause: true,
  params: Type.Object({ challenge_id: Type.String({ description: 'As the raise answered it.' }) }),
  success: { status: 200, about: 'The state, or the outcome', body: ChallengeState },
  errors: ['twofa.challenge_not_found', 'twofa.result_consumed', 'twofa.unavailable'],
})
