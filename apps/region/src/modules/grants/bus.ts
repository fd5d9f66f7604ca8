import { type Bus, DIRECTORY, parseParty, type Party } from '@sealpost/bus'
import { parseUuid, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import {
  consumeGrantTokenAsk,
  endGrantAsk,
  findGrantAsk,
  findGrantTokenAsk,
  mayAuthorizeAsk,
  passForClaimAsk,
  proveLoginAsk,
  putGrantAsk,
  putGrantTokenAsk,
  putResultAsk,
  readAppAsk,
  readBearerAsk,
  readResultAsk,
  readUserInfoAsk,
  refuse,
  revokeSessionsAsk,
  shareValuesAsk,
  takeResultAsk,
  verifyAssertionAsk,
} from '@sealpost/protocol'
import { verifyApproval } from '../login/index.ts'
import type { GrantsContext } from './context.ts'
import type { ResultName } from './model.ts'
import { passForClaim } from './operations/claim-pass.ts'
import { mayAuthorize, proveUser, readApp, readBearer } from './operations/consent.ts'
import { endGrant } from './operations/end-grants.ts'
import { putGrant, readGrant, shareValues } from './operations/grants.ts'
import { readUserInfo } from './operations/read-user-info.ts'
import { claimResult, putResult, readResult } from './operations/results.ts'
import { consumeToken, putToken, readToken } from './operations/tokens.ts'

/** Asks of the front door. Other parties are refused, except for `readUserInfoAsk` and `passForClaimAsk`. */
export function answerGrants(grants: GrantsContext): void {
  answerEngine(grants)
  answerConsents(grants)
  answerResults(grants)
}

/** The storage of the OAuth engine. */
function answerEngine(grants: GrantsContext): void {
  const { bus } = grants
  bus.onRead(findGrantAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    return { payload: await readGrant(grants, body.grant_id) }
  })
  bus.onRead(putGrantAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    await putGrant(grants, {
      id: body.grant_id,
      userId: readId<UserId>(body.user_id),
      clientId: body.client_id,
      usedIn: body.used_in,
      livesSeconds: body.lives_seconds,
      payload: body.payload,
    })
    return {}
  })
  bus.onRead(findGrantTokenAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const token = await readToken(grants, { kind: body.kind, sha256: bytesOf(body.sha256) })
    return { token: token === null ? null : { payload: token.payload, is_consumed: token.isConsumed } }
  })
  bus.onRead(putGrantTokenAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const name = { kind: body.kind, sha256: bytesOf(body.sha256) }
    return { is_stored: await putToken(grants, name, body.grant_id, body.lives_seconds, body.payload) }
  })
  bus.onRead(consumeGrantTokenAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    return { is_won: await consumeToken(grants, { kind: body.kind, sha256: bytesOf(body.sha256) }) }
  })
  bus.onRead(endGrantAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    await endGrant(grants, body.grant_id)
    return {}
  })
}

/** The consent page: the user, the client and the values that are shared. */
function answerConsents(grants: GrantsContext): void {
  const { bus } = grants
  bus.onRead(proveLoginAsk, ({ from, body }) => {
    requireFrontDoor(from)
    const userId = readId<UserId>(body.user_id)
    return proveUser(grants, { userId, verifier: new Secret(body.auth_verifier), otp: body.otp })
  })
  bus.onRead(mayAuthorizeAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const [company, user] = [readId<UserId>(body.company_id), readId<UserId>(body.user_id)]
    return { is_allowed: await mayAuthorize(grants, company, readId<ServiceId>(body.service_id), user) }
  })
  bus.onRead(readAppAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const serviceId = body.service_id === null ? null : readId<ServiceId>(body.service_id)
    const name = { companyId: readId<UserId>(body.company_id), clientId: body.client_id, serviceId }
    return { app: await readApp(grants, name) }
  })
  bus.onRead(readBearerAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const userId = readId<UserId>(body.user_id)
    return { bearer: await readBearer(grants, userId, body.session_id, body.wants_challenge) }
  })
  bus.onRead(verifyAssertionAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const userId = readId<UserId>(body.user_id)
    const { challenge, assertion } = body
    return { is_verified: await verifyApproval(grants.login, userId, { challenge, assertion }) }
  })
  bus.onRead(shareValuesAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    const { grant_id: grantId, ...shared } = body
    await shareValues(grants, grantId, shared)
    return {}
  })
  // The region of the person asks: what an app claims is no secret, and the pass leads to its plugin only.
  bus.onRead(passForClaimAsk, async ({ body }) => ({
    pass: await passForClaim(grants, { clientId: body.client_id, name: body.name }),
  }))
  // The region of the app's company asks, too: it has checked the token, and the values are sealed to the app.
  bus.onRead(readUserInfoAsk, async ({ body }) => ({ info: await readUserInfo(grants, body.grant_id, body.client_id) }))
}

function answerResults(grants: GrantsContext): void {
  const { bus } = grants
  bus.onRead(putResultAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    return { is_stored: await putResult(grants, resultName(body), body.outcome) }
  })
  bus.onRead(readResultAsk, ({ from, body }) => {
    requireFrontDoor(from)
    return readResult(grants, resultName(body))
  })
  bus.onRead(takeResultAsk, async ({ from, body }) => {
    requireFrontDoor(from)
    return { is_taken: await claimResult(grants, resultName(body)) }
  })
}

export function revokeElsewhere(bus: Bus): GrantsContext['revokeElsewhere'] {
  return async (region, sessionIds) => {
    await bus.ask(revokeSessionsAsk, { to: parseParty(region), body: { session_ids: [...sessionIds] } })
  }
}

interface ResultBody {
  readonly company_id: string
  readonly client_id: string
  readonly state_sha256: string
}

function resultName(body: ResultBody): ResultName {
  return {
    companyId: readId<UserId>(body.company_id),
    clientId: body.client_id,
    stateSha256: bytesOf(body.state_sha256),
  }
}

function requireFrontDoor(from: Party): void {
  if (from !== DIRECTORY) throw new Error(`${from} sent an ask that only the front door may send`)
}

function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw refuse('request.invalid', { details: [{ path: '/id', message: 'is not an id' }] })
  return id
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}
