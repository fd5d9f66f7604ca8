import Type, { type Static } from 'typebox'
import { nullableText, Timestamp, Uuid } from './scalars.ts'

export const challengeOutcomes = ['approved', 'denied', 'expired', 'revoked'] as const
export type ChallengeOutcome = (typeof challengeOutcomes)[number]

export const RaisedChallenge = Type.Object(
  {
    challenge_id: Uuid,
    status: Type.Literal('pending'),
    expires_at: Timestamp,
    matching_digits: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]$', description: 'Show them on the login page; only with number matching.' }),
    ),
  },
  { title: 'RaisedChallenge' },
)
export type RaisedChallenge = Static<typeof RaisedChallenge>

export const ChallengeState = Type.Object(
  {
    status: Type.Enum(['pending', ...challengeOutcomes]),
    expires_at: Type.Optional(Timestamp),
    completed_at: Type.Optional(Timestamp),
  },
  { title: 'ChallengeState' },
)
export type ChallengeState = Static<typeof ChallengeState>

const company = Type.Object({ user_id: Uuid, display_name: Type.String(), share_code: Type.String() })
const service = Type.Object({ service_id: Uuid, name: Type.String(), code: Type.String() })

export const ReceivedChallenge = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    company,
    service,
    context: nullableText({ description: 'Why the service asks, in its own words.' }),
    number_matching: Type.Boolean({ description: 'Whether the digits of the login page are needed to approve.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'ReceivedChallenge' },
)
export type ReceivedChallenge = Static<typeof ReceivedChallenge>

export const AnsweredChallenge = Type.Object(
  { id: Uuid, status: Type.Enum([...challengeOutcomes]), completed_at: Timestamp },
  { title: 'AnsweredChallenge' },
)
export type AnsweredChallenge = Static<typeof AnsweredChallenge>

export const Enrollment = Type.Object(
  { service_id: Uuid, connection_id: Uuid, company, service, enrolled_at: Timestamp },
  { title: 'Enrollment' },
)
export type Enrollment = Static<typeof Enrollment>
