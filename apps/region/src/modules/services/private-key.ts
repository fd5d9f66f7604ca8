import type { PassphraseWrap } from '@sealpost/crypto'
import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../caller.ts'
import { findDelegateKey } from '../account/index.ts'
import type { ServicesNeeds } from './needs.ts'
import { nameOf } from './open.ts'
import type { Service } from './service.ts'
import { findPrivateKey } from './store/services.ts'

export interface PrivateKeyShown {
  readonly public_key: string
  readonly encrypted_private_key: PassphraseWrap
  /** Of a delegate, once somebody has handed it over. */
  readonly sealed_passphrase: string | null
}

/** Both are opened by whoever asks: with the passphrase, or with the own key that it was sealed to. */
export async function readPrivateKey(
  { database }: Pick<ServicesNeeds, 'database'>,
  { kind, accountId, userId }: Pick<Caller, 'kind' | 'accountId' | 'userId'>,
  service: Service,
): Promise<PrivateKeyShown> {
  return database.read(async (read) => {
    const wrap = await findPrivateKey(read, nameOf(service))
    if (wrap === null) throw refuse('services.not_found')
    const sealed = kind === 'delegate' ? await findDelegateKey(read, accountId, userId, service.id) : null
    return { public_key: service.publicKey, encrypted_private_key: wrap, sealed_passphrase: sealed }
  })
}
