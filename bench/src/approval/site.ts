import { randomBytes } from 'node:crypto'
import {
  bodyOf,
  type Calls,
  callsWith,
  type Installation,
  logIn,
  northwind,
  type ScenarioContext,
  signUp,
  softDeviceKey,
  startInstallation,
  type TestUser,
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
const DEVICES = '/api/account/trusted-devices'
/** Room for the crowd; more than that is refused by default. */
const MANY_STREAMS = { STREAMS_PROCESS: '20000', HTTP_CONNECTIONS: '30000' }

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
  const user = await signUp(installation, { userType: 'person', region: 'eu' })
  const { apiUrl, token } = await logIn(installation, user)
  const calls = callsWith(apiUrl, token)
  const code = `${northwind.shareCode}/${northwind.service.shareCode}`
  await bodyOf(calls('POST', '/api/company-connections', { body: { code, decisions: [] } }), 201)
  await enroll(installation, token)
  return { userId: user.userId, shareCode: user.shareCode, token, sign: await addDevice(user, calls) }
}

async function enroll({ frontDoor }: Installation, token: string): Promise<void> {
  const state = randomBytes(16).toString('hex')
  const query = { client_id: northwind.clientId, mode: '2fa_enroll', response_mode: 'detached', state }
  const answer = await fetch(`${frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...query, decision: 'approve' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`not enrolled: ${await answer.text()}`)
}

async function addDevice({ authVerifier }: TestUser, calls: Calls): Promise<Approver['sign']> {
  const key = softDeviceKey()
  const { challenge } = await bodyOf(calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } }))
  const about = { auth_verifier: authVerifier, kind: 'device_key', name: 'A phone', challenge }
  const body = { ...about, public_key: key.publicKey, signature: key.sign(String(challenge)) }
  const { id } = await bodyOf(calls('POST', DEVICES, { body }), 201)
  return (text) => ({ device_id: String(id), signature: key.sign(text) })
}
