import {
  addDevice,
  connectNewUser,
  enroll,
  type Installation,
  northwind,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { requestDataToken } from '../data-token.ts'

/** A company and persons who approve its logins, in one region: both sides still meet over the bus. */
export interface ApprovalSite {
  readonly installation: Installation
  readonly databaseUrl: string
  /** A token of the company's data client. */
  readonly token: string
  readonly approvers: readonly Approver[]
}

export interface Approver {
  readonly userId: string
  readonly shareCode: string
  readonly token: string
  /** The assertion of the person's device. */
  readonly sign: (text: string) => object
}

/** Fewer than callers, because a person takes a second to sign up; each may have three challenges pending. */
const PERSONS = 20
export const POOL = '5'
/** Room for the crowd; more than that is refused by default. */
const MANY_STREAMS = { STREAMS_PROCESS: '20000', HTTP_CONNECTIONS: '30000', HTTP_CONNECTIONS_ADDRESS: '30000' }

export async function startApprovalSite(context: ScenarioContext): Promise<ApprovalSite> {
  const settings = { ...UNLIMITED_RATES, ...MANY_STREAMS, DATABASE_POOL: POOL }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const { token } = await requestDataToken(installation, northwind)
  const approvers: Approver[] = []
  for (let number = 0; number < PERSONS; number += 1) approvers.push(await openApprover(installation))
  context.progress(`${approvers.length} persons are enrolled`)
  return { installation, databaseUrl: installation.environment.eu['DATABASE_URL'] ?? '', token, approvers }
}

async function openApprover(installation: Installation): Promise<Approver> {
  const wanted = { userType: 'person', region: 'eu' } as const
  const { user, token, calls } = await connectNewUser(installation, wanted, northwind)
  await enroll(installation, northwind, { token })
  const { sign } = await addDevice({ authVerifier: user.authVerifier, calls })
  return { userId: user.userId, shareCode: user.shareCode, token, sign }
}
