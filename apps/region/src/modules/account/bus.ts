import { type Bus, DIRECTORY, parseParty } from '@sealpost/bus'
import { type Ids, parseUuid, type RegionCode, type ServiceId, type UserId } from '@sealpost/kernel'
import {
  accountErasedTell,
  changeAccountAsk,
  delegateNamedTell,
  delegationChangedTell,
  findShareCodeAsk,
  kdfChangedTell,
  putAccountAsk,
} from '@sealpost/protocol'
import type { AccountDirectory, DirectoryAccount, FoundAccount, Listing } from './model.ts'
import { findAccount } from './store/accounts.ts'
import { deleteNamesOf, putDelegateName } from './store/delegate-names.ts'
import { deleteDelegations } from './store/delegates.ts'
import { deleteMembership, putMembership } from './store/memberships.ts'

export function accountDirectory(bus: Bus, ids: Ids, otherRegions: readonly RegionCode[]): AccountDirectory {
  const change = (userId: UserId, what: { level?: DirectoryAccount['level']; public_key?: string; email?: string }) =>
    bus.ask(changeAccountAsk, {
      to: DIRECTORY,
      id: askId('change_account', userId, ids),
      body: { user_id: userId, ...what },
    })
  return {
    putAccount: (account) => putAccount(bus, ids, account),
    async setLevel(userId, level) {
      await change(userId, { level })
    },
    async setPublicKey(userId, publicKey) {
      await change(userId, { public_key: publicKey })
    },
    async setEmail(userId, email) {
      const answer = await change(userId, { email })
      return answer.is_email_taken ? null : answer.email_hash
    },
    findByShareCode: (shareCode) => findByShareCode(bus, shareCode),
    tellKdf: (tx, userId, kdf, rev) =>
      bus.tell(tx, kdfChangedTell, { to: DIRECTORY, key: userId, body: { user_id: userId, kdf, rev } }),
    tellDelegation: (tx, { companyId, companyName, userId, userRegion, role, services }) =>
      bus.tell(tx, delegationChangedTell, {
        to: parseParty(userRegion),
        key: userId,
        body: {
          user_id: userId,
          company_id: companyId,
          display_name: companyName,
          role,
          services: [...services],
        },
      }),
    tellName: (tx, { companyId, region, userId, displayName }) =>
      bus.tell(tx, delegateNamedTell, {
        to: parseParty(region),
        key: userId,
        body: { user_id: userId, company_id: companyId, display_name: displayName },
      }),
    async tellErased(tx, userId) {
      for (const to of [DIRECTORY, ...otherRegions.map(parseParty)]) {
        await bus.tell(tx, accountErasedTell, { to, key: userId, body: { user_id: userId } })
      }
    },
  }
}

async function putAccount(bus: Bus, ids: Ids, account: DirectoryAccount): Promise<Listing | null> {
  const { userId, userType, region, level, email, kdf, publicKey, shareCode } = account
  const answer = await bus.ask(putAccountAsk, {
    to: DIRECTORY,
    id: askId('put_account', userId, ids),
    body: {
      user_id: userId,
      user_type: userType,
      region,
      level,
      email,
      kdf,
      public_key: publicKey,
      ...(shareCode === undefined ? {} : { share_code: shareCode }),
    },
  })
  return answer.share_code === null ? null : { emailHash: answer.email_hash, shareCode: answer.share_code }
}

async function findByShareCode(bus: Bus, shareCode: string): Promise<FoundAccount | null> {
  const { account } = await bus.ask(findShareCodeAsk, { to: DIRECTORY, body: { share_code: shareCode } })
  const userId = account === null ? null : parseUuid<UserId>(account.user_id)
  if (account === null || userId === null) return null
  return { userId, userType: account.user_type, region: account.region, publicKey: account.public_key }
}

/**
 * A new id for each ask: they are idempotent, and an id derived from the content would answer a change back to an
 * earlier value with the stored outcome of the first.
 */
function askId(command: string, userId: UserId, ids: Ids): string {
  return `${command}:${userId}:${ids.uuid()}`
}

/** An account of another region was erased: its delegations here end. */
export function onErasedAccounts(bus: Bus): void {
  bus.onTell(accountErasedTell, async (tx, { from, body }) => {
    const userId = parseUuid<UserId>(body.user_id)
    if (userId === null) return
    await deleteDelegations(tx, userId, from)
    await deleteNamesOf(tx, userId, from)
  })
}

/**
 * A company of any region has changed what a user of this region may do for it. The answer is the user's name, for the
 * company's log.
 */
export function onDelegations(bus: Bus, { tellName }: Pick<AccountDirectory, 'tellName'>): void {
  bus.onTell(delegationChangedTell, async (tx, { from, body }) => {
    const [userId, companyId] = [parseUuid<UserId>(body.user_id), parseUuid<UserId>(body.company_id)]
    if (userId === null || companyId === null) return
    if (body.role === null) return deleteMembership(tx, userId, companyId, from)
    const services = body.services.map((text) => parseUuid<ServiceId>(text)).filter((id) => id !== null)
    await putMembership(tx, userId, {
      companyId,
      region: from,
      displayName: body.display_name,
      role: body.role,
      services,
    })
    const user = await findAccount(tx, userId)
    if (user !== null) await tellName(tx, { companyId, region: from, userId, displayName: user.displayName })
  })
  bus.onTell(delegateNamedTell, async (tx, { from, body }) => {
    const [userId, companyId] = [parseUuid<UserId>(body.user_id), parseUuid<UserId>(body.company_id)]
    if (userId === null || companyId === null) return
    await putDelegateName(tx, companyId, userId, { region: from, displayName: body.display_name })
  })
}
