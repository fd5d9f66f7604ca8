import { type Bus, DIRECTORY, parseParty, type Party } from '@sealpost/bus'
import { parseUuid, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import {
  consumeGrantTokenAsk,
  endGrantAsk,
  findGrantAsk,
  findGrantTokenAsk,
  mayAuthorizeAsk,
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
import { type ConsentNeeds, mayAuthorize, proveLogin, readApp, readBearer } from './consent.ts'
import { endGrant } from './ending.ts'
import { consumeToken, type GrantsNeeds, putGrant, putToken, readGrant, readToken, shareValues } from './operations.ts'
import { claimResult, putResult, readResult } from './results.ts'
import type { ResultName } from './store/results.ts'
import { readUserInfo } from './user-info.ts'

export type GrantsBusNeeds = GrantsNeeds & ConsentNeeds & { readonly bus: Bus }

/** What the front door asks of this region about grants; nobody else may, but for what a token shows of its person. */
export function answerGrants(needs: GrantsBusNeeds): void {
  answerEngine(needs)
  answerConsents(needs)
  answerResults(needs)
}

/** What the OAuth engine remembers. */
function answerEngine(needs: GrantsBusNeeds): void {
  const { bus } = needs
  bus.onRead(findGrantAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    return { payload: await readGrant(needs, body.grant_id) }
  })
  bus.onRead(putGrantAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    await putGrant(needs, {
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
    demandFrontDoor(from)
    const token = await readToken(needs, { kind: body.kind, sha256: bytesOf(body.sha256) })
    return { token: token === null ? null : { payload: token.payload, is_consumed: token.isConsumed } }
  })
  bus.onRead(putGrantTokenAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    const name = { kind: body.kind, sha256: bytesOf(body.sha256) }
    return { is_stored: await putToken(needs, name, body.grant_id, body.lives_seconds, body.payload) }
  })
  bus.onRead(consumeGrantTokenAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    return { is_won: await consumeToken(needs, { kind: body.kind, sha256: bytesOf(body.sha256) }) }
  })
  bus.onRead(endGrantAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    await endGrant(needs, body.grant_id)
    return {}
  })
}

/** Who consents, to whom, and what is handed over. */
function answerConsents(needs: GrantsBusNeeds): void {
  const { bus } = needs
  bus.onRead(proveLoginAsk, ({ from, body }) => {
    demandFrontDoor(from)
    return proveLogin(needs, readId<UserId>(body.user_id), new Secret(body.auth_verifier), body.otp)
  })
  bus.onRead(mayAuthorizeAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    const [company, user] = [readId<UserId>(body.company_id), readId<UserId>(body.user_id)]
    return { is_allowed: await mayAuthorize(needs, company, readId<ServiceId>(body.service_id), user) }
  })
  bus.onRead(readAppAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    const serviceId = body.service_id === null ? null : readId<ServiceId>(body.service_id)
    const name = { companyId: readId<UserId>(body.company_id), clientId: body.client_id, serviceId }
    return { app: await readApp(needs, name) }
  })
  bus.onRead(readBearerAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    const userId = readId<UserId>(body.user_id)
    return { bearer: await readBearer(needs, userId, body.session_id, body.wants_challenge) }
  })
  bus.onRead(verifyAssertionAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    const userId = readId<UserId>(body.user_id)
    return { is_verified: await needs.approvals.verify(userId, body.challenge, body.assertion) }
  })
  bus.onRead(shareValuesAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    await shareValues(needs, body.grant_id, { values: body.values, values_attestation: body.values_attestation })
    return {}
  })
  // The region of the app's company asks, too: it has judged the token, and the values are sealed to the app.
  bus.onRead(readUserInfoAsk, async ({ body }) => ({ info: await readUserInfo(needs, body.grant_id, body.client_id) }))
}

function answerResults(needs: GrantsBusNeeds): void {
  const { bus } = needs
  bus.onRead(putResultAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    return { is_stored: await putResult(needs, resultName(body), body.outcome) }
  })
  bus.onRead(readResultAsk, ({ from, body }) => {
    demandFrontDoor(from)
    return readResult(needs, resultName(body))
  })
  bus.onRead(takeResultAsk, async ({ from, body }) => {
    demandFrontDoor(from)
    return { is_taken: await claimResult(needs, resultName(body)) }
  })
}

/** For `EndingNeeds`. */
export function revokeElsewhere(bus: Bus): GrantsNeeds['revokeElsewhere'] {
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

function demandFrontDoor(from: Party): void {
  if (from !== DIRECTORY) throw new Error(`${from} asked what only the front door may ask`)
}

function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw refuse('request.invalid', { details: [{ path: '/id', message: 'is not an id' }] })
  return id
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}
