import type { Bus } from '@sealpost/bus'
import type { Clock, Ids, Keyring, RegionCode, Secret, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { findHomeAsk, listSigningKeysAsk } from '@sealpost/protocol'
import type { SigningKeys } from '../oauth/signing-keys.ts'
import { answerAboutAccounts } from './accounts/bus.ts'
import { answerAboutClients } from './clients/index.ts'
import { readClientId, readId } from './read-ask.ts'
import { answerAboutSwitches } from './region-switches.ts'
import { findHome } from './store.ts'

export interface DirectoryBusNeeds {
  readonly bus: Bus
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly pepper: Keyring
  readonly directoryKey: Secret<string>
  readonly signingKeys: SigningKeys
  readonly regions: readonly RegionCode[]
}

/** What regions may ask of the directory; each one for the accounts that live in it. */
export function answerRegions(needs: DirectoryBusNeeds): void {
  const { bus, database, regions } = needs
  answerAboutAccounts(needs)
  answerAboutClients(needs)
  answerAboutSwitches(bus, regions)
  bus.onRead(findHomeAsk, async ({ body }) => {
    const region = await database.read((read) =>
      findHome(read, optional(readId<UserId>, body.user_id), optional(readClientId, body.client_id)),
    )
    return { region }
  })
  bus.onRead(listSigningKeysAsk, () => Promise.resolve({ keys: needs.signingKeys.publicKeys.map(textMembers) }))
}

function optional<T>(read: (text: string) => T, text: string | null): T | null {
  return text === null ? null : read(text)
}

function textMembers(key: object): Record<string, string> {
  return Object.fromEntries(Object.entries(key).filter(([, value]) => typeof value === 'string'))
}
