import { AccountKey } from '@sealpost/sdk/crypto'
import { requireOpen, sessionCommands } from '@sealpost/session/worker'
import { openPrivateKey } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PortalContext } from './context.ts'

/** As the SDK pins it before it seals a copy. */
const PIN = 'recovery:own'

/** Whether copies for recovery need the password once more: the recovery key was never opened in this browser. */
export async function isPasswordNeeded(context: PortalContext): Promise<boolean> {
  const { login } = requireOpen(context)
  return login === null && (await pinsOf(context).get(PIN)) === undefined
}

/**
 * The public key that copies are sealed to, as the private one says: the first that the server names could be its own,
 * and the copy would tell it the passphrase.
 */
export async function pinRecoveryKey(context: PortalContext, password: string | null): Promise<void> {
  if ((await pinsOf(context).get(PIN)) !== undefined) return
  const { fingerprint } = await openRecoveryKey(context, password)
  await pinsOf(context).set(PIN, fingerprint)
}

/** With the password, unless it was typed since the account was opened. */
export async function openRecoveryKey(context: PortalContext, password: string | null): Promise<AccountKey> {
  if (password !== null) await sessionCommands.provePassword(context, password)
  const { login, client } = requireOpen(context)
  if (login === null) throw refuseHere('password_needed')
  const { encrypted_recovery_key: wrapped = null } = await client.readKeys()
  return AccountKey.fromPkcs8((await openPrivateKey(wrapped, login.wrapKey, 'recovery')).reveal())
}

function pinsOf(context: PortalContext) {
  const { accountId } = requireOpen(context)
  return context.store.pinsOf(async () => accountId)
}
