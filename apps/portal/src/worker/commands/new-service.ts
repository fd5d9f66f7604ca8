import type { NewServiceKey } from '@sealpost/sdk'
import { fingerprintOf } from '@sealpost/sdk/crypto'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PortalContext } from '../context.ts'
import { isPasswordNeeded, pinRecoveryKey } from '../recovery-key.ts'
import { pinOwnKey } from '../service-key.ts'

export interface NewKeyView {
  /** Shown once, to be stored. The private key stays here. */
  readonly passphrase: string
  /** A recovery copy needs the password of the account once more. */
  readonly needsPassword: boolean
}

export interface NewServiceWish {
  readonly name: string
  readonly adminEmail: string
  readonly audience: 'person' | 'company' | 'both'
  /** Empty: derived from the name. */
  readonly shareCode: string
  readonly recoveryCopy: boolean
  readonly password: string | null
}

export interface MadeServiceView {
  readonly id: string
  readonly name: string
  readonly code: string
  /** The service exists, but the copy that was wished for does not. */
  readonly isCopyMissing: boolean
}

/** Keys of services that are still to be made; gone when the account is locked. */
const made = new WeakMap<AbortController, NewServiceKey>()

export async function makeServiceKey(context: PortalContext): Promise<NewKeyView> {
  const { client, ending } = requireOpen(context)
  const key = await client.company.services.makeKey()
  made.set(ending, key)
  return { passphrase: key.passphrase, needsPassword: await isPasswordNeeded(context) }
}

/** Encrypted by the passphrase: who has the file alone has nothing. */
export async function newKeyFile(context: PortalContext): Promise<string> {
  const { client } = requireOpen(context)
  return client.company.services.pemOfNewKey(requireNewKey(context))
}

export async function createService(context: PortalContext, wish: NewServiceWish): Promise<MadeServiceView> {
  const { name, adminEmail, audience, shareCode, recoveryCopy, password } = wish
  const key = requireNewKey(context)
  if (recoveryCopy) await pinRecoveryKey(context, password)
  const { company } = requireOpen(context).client
  const code = shareCode === '' ? {} : { share_code: shareCode }
  const about = { name, admin_email: adminEmail, audience, ...code }
  const { service, recovery_copy_id: copy } = await company.services.create(about, { key, recoveryCopy })
  // What customers give would be sealed to a key that is not the company's.
  if (service.public_key !== key.publicKey) throw refuseHere('new_key_exchanged')
  await pinOwnKey(context, service.id, await fingerprintOf(key.publicKey))
  made.delete(requireOpen(context).ending)
  context.changed('services')
  const { share_code: companyCode } = await company.read()
  return {
    id: service.id,
    name: service.name,
    code: `${companyCode}/${service.share_code}`,
    isCopyMissing: recoveryCopy && copy === null,
  }
}

function requireNewKey(context: PortalContext): NewServiceKey {
  const key = made.get(requireOpen(context).ending)
  if (key === undefined) throw refuseHere('new_key_gone')
  return key
}
