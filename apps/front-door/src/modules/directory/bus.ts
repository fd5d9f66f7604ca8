import {
  type ClientId,
  parseClientId,
  parseUuid,
  type RegionCode,
  Secret,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
import {
  accountErasedTell,
  changeAccountAsk,
  changeClientAsk,
  checkEmailAsk,
  findHomeAsk,
  findShareCodeAsk,
  flagRegionAsk,
  kdfChangedTell,
  listClientsAsk,
  listSigningKeysAsk,
  putAccountAsk,
  putClientAsk,
  putKdfAsk,
  raiseEpochAsk,
  refuse,
  removeClientAsk,
  signPassAsk,
} from '@sealpost/protocol'
import type { Platform } from '../../platform/module.ts'
import { findRegion } from '../../platform/regions.ts'
import { hashEmail } from './hashing/email.ts'
import { changeAccount } from './operations/change-account.ts'
import { changeClient, endTokens, type GivenSecret, putClient } from './operations/change-client.ts'
import { putAccount } from './operations/put-account.ts'
import { findAccountByEmail, findAccountByShareCode, replaceKdf, retireAccount } from './store/accounts.ts'
import { deleteClient, listClients } from './store/clients.ts'
import { findHome, flagRegion } from './store/regions.ts'

/** Keeps the answer within the bus's limit for a message. */
const CLIENTS_PER_PAGE = 100

/** Asks and tells of regions. A region may write about accounts that live in it and about no others. */
export function answerRegions(platform: Platform): void {
  answerAccounts(platform)
  answerAccountReads(platform)
  answerClients(platform)
  answerInstallation(platform)
}

function answerAccounts(platform: Platform): void {
  const { bus, clock } = platform
  const homeOf = (from: string, userId: string) => ({
    userId: readId<UserId>(userId),
    region: readRegion(platform, from),
  })
  bus.onAsk(putAccountAsk, (tx, { from, body }) =>
    putAccount(platform, tx, readRegion(platform, from), {
      userId: readId<UserId>(body.user_id),
      userType: body.user_type,
      region: readRegion(platform, body.region),
      level: body.level,
      email: body.email,
      kdf: body.kdf,
      publicKey: body.public_key,
      shareCode: body.share_code,
    }),
  )
  bus.onAsk(changeAccountAsk, (tx, { from, body }) =>
    changeAccount(platform, tx, readRegion(platform, from), {
      userId: readId<UserId>(body.user_id),
      level: body.level,
      email: body.email,
      publicKey: body.public_key,
    }),
  )
  bus.onAsk(putKdfAsk, async (tx, { from, body }) => {
    await replaceKdf(tx, homeOf(from, body.user_id), body.kdf, body.rev)
    return {}
  })
  bus.onTell(kdfChangedTell, (tx, { from, body }) => replaceKdf(tx, homeOf(from, body.user_id), body.kdf, body.rev))
  bus.onTell(accountErasedTell, (tx, { from, body }) => retireAccount(tx, homeOf(from, body.user_id), clock.now()))
}

function answerAccountReads(platform: Platform): void {
  const { bus, database, settings } = platform
  bus.onRead(findShareCodeAsk, async ({ body }) => {
    const account = await database.read((read) => findAccountByShareCode(read, body.share_code))
    if (account === null) return { account: null }
    const { userId, userType, region, publicKey } = account
    return { account: { user_id: userId, user_type: userType, region, public_key: publicKey } }
  })
  bus.onRead(checkEmailAsk, async ({ from, body }) => {
    readRegion(platform, from)
    const hash = hashEmail(settings.DIRECTORY_KEY, body.email)
    const holder = await database.read((read) => findAccountByEmail(read, hash))
    return { is_taken: holder !== null && holder.userId !== readId<UserId>(body.user_id) }
  })
  bus.onRead(findHomeAsk, async ({ body }) => {
    const userId = body.user_id === null ? null : readId<UserId>(body.user_id)
    const clientId = body.client_id === null ? null : readClientId(body.client_id)
    return { region: await database.read((read) => findHome(read, userId, clientId)) }
  })
}

function answerClients(platform: Platform): void {
  const { bus, database } = platform
  bus.onAsk(putClientAsk, (tx, { from, body }) =>
    putClient(platform, tx, readRegion(platform, from), {
      ...namesOf(body),
      kind: body.kind,
      serviceId: readServiceId(body.service_id),
      name: body.name,
      purpose: body.purpose,
      capabilities: body.capabilities,
      patterns: body.patterns,
      redirectUris: body.redirect_uris,
      isConfidential: body.is_confidential,
      allowsDetached: body.allows_detached ?? false,
      secret: body.secret === null ? null : secretOf(body.secret),
    }),
  )
  bus.onAsk(changeClientAsk, (tx, { from, body }) =>
    changeClient(platform, tx, readRegion(platform, from), {
      ...namesOf(body),
      name: body.name,
      serviceId: body.service_id === undefined ? undefined : readServiceId(body.service_id),
      capabilities: body.capabilities,
      patterns: body.patterns,
      redirectUris: body.redirect_uris,
      allowsDetached: body.allows_detached,
      secret: body.secret === undefined ? undefined : secretOf(body.secret),
      least: body.least,
      ifRev: body.if_rev,
    }),
  )
  // A client that is missing, or that another region's account owns, is not deleted: the answer is the same.
  bus.onAsk(removeClientAsk, async (tx, { from, body }) => {
    const { clientId, userId } = namesOf(body)
    await deleteClient(tx, readRegion(platform, from), clientId, userId)
    return {}
  })
  bus.onAsk(raiseEpochAsk, (tx, { from, body }) => {
    const { clientId, userId } = namesOf(body)
    return endTokens(tx, readRegion(platform, from), clientId, userId)
  })
  bus.onRead(listClientsAsk, async ({ from, body }) => {
    const filter = {
      clientId: body.client_id === undefined ? undefined : readClientId(body.client_id),
      serviceId: body.service_id === undefined ? undefined : readId<ServiceId>(body.service_id),
      after: body.after === undefined ? undefined : readClientId(body.after),
    }
    const region = readRegion(platform, from)
    const found = await database.read((read) => listClients(read, region, filter, CLIENTS_PER_PAGE))
    return { clients: found.slice(0, CLIENTS_PER_PAGE), has_more: found.length > CLIENTS_PER_PAGE }
  })
}

function answerInstallation(platform: Platform): void {
  const { bus, settings, passSigner } = platform
  // The region in the row is the one that asks: only a region's own operators can mark it as out of order.
  bus.onAsk(flagRegionAsk, async (tx, { from, body }) => {
    await flagRegion(tx, readRegion(platform, from), body.out_of_order)
    return {}
  })
  bus.onRead(listSigningKeysAsk, () => Promise.resolve({ keys: settings.SIGNING_KEYS.publicKeys.map(textMembers) }))
  // The region in the pass is the one that asks: a pass leads to the plugins of that region only.
  bus.onRead(signPassAsk, async ({ from, body }) => {
    const { turn } = body
    const pass = await passSigner.sign({
      kind: body.kind,
      companyId: readId<UserId>(body.company_id),
      pluginIds: body.plugin_ids,
      turn: turn === null ? null : { runId: turn.run_id, node: turn.node, party: turn.party },
      region: readRegion(platform, from),
    })
    return { pass, forwarder_url: settings.FORWARDER_URL }
  })
}

function namesOf(body: { client_id: string; user_id: string }): {
  readonly clientId: ClientId
  readonly userId: UserId
} {
  return { clientId: readClientId(body.client_id), userId: readId<UserId>(body.user_id) }
}

function readServiceId(text: string | null): ServiceId | null {
  return text === null ? null : readId<ServiceId>(text)
}

function secretOf({ id, value }: { id: string; value: string }): GivenSecret {
  return { id: readId(id), value: new Secret(value) }
}

function readClientId(text: string): ClientId {
  return parseClientId(text) ?? refuseUnknown('client_id')
}

function readId<Id extends string>(text: string): Id {
  return parseUuid<Id>(text) ?? refuseUnknown('id')
}

function readRegion(platform: Platform, text: string): RegionCode {
  return findRegion(platform, text)?.code ?? refuseUnknown('region')
}

function refuseUnknown(path: string): never {
  throw refuse('request.invalid', { details: [{ path: `/${path}`, message: 'is not known here' }] })
}

function textMembers(key: object): Record<string, string> {
  return Object.fromEntries(Object.entries(key).filter(([, value]) => typeof value === 'string'))
}
