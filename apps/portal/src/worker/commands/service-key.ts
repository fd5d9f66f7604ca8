import { ServiceKey } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'
import { isPasswordNeeded, openRecoveryKey, pinRecoveryKey } from '../recovery-key.ts'
import { keepServiceKey, knownFingerprint, openServiceKey, plainPassphrase } from '../service-key.ts'

/** Which service's key is open, and how to compare it with what a colleague or a customer sees. */
export interface ServiceKeyState {
  readonly serviceId: string
  readonly fingerprint: string
}

export interface PassphraseWish {
  readonly serviceId: string
  readonly passphrase: string
}

export async function serviceKeyState({ serviceKey }: PortalContext): Promise<ServiceKeyState | null> {
  return serviceKey === null ? null : { serviceId: serviceKey.serviceId, fingerprint: serviceKey.key.fingerprint }
}

/** By the passphrase alone: the wrapped key comes from the platform. */
export async function openByPassphrase(context: PortalContext, wish: PassphraseWish): Promise<void> {
  const { key } = await openWith(context, wish)
  keepServiceKey(context, wish.serviceId, key)
}

/** By the key file, which needs the same passphrase. */
export async function openByKeyFile(
  context: PortalContext,
  wish: PassphraseWish & { readonly pem: string },
): Promise<void> {
  const passphrase = plainPassphrase(wish.passphrase)
  const { key } = await openServiceKey(context, wish.serviceId, () => ServiceKey.fromPem(wish.pem, passphrase))
  keepServiceKey(context, wish.serviceId, key)
}

export async function forgetServiceKey(context: PortalContext): Promise<void> {
  context.serviceKey = null
  context.changed('key')
}

/** Whether this passphrase opens the key; nothing is kept. */
export async function tryPassphrase(context: PortalContext, wish: PassphraseWish): Promise<void> {
  await openWith(context, wish)
}

/** The encrypted key file, made here from what the platform stores; the passphrase stays the same. */
export async function exportKeyFile(context: PortalContext, wish: PassphraseWish): Promise<string> {
  const { stored } = await openWith(context, wish)
  const { publicKey, wrap: encryptedPrivateKey } = stored
  const passphrase = plainPassphrase(wish.passphrase)
  // From the wrap that was judged: a second answer of the server could be another one.
  return requireOpen(context).client.company.services.pemOfNewKey({ publicKey, encryptedPrivateKey, passphrase })
}

/** Where copies of the passphrase are, as far as the platform knows. */
export interface KeyCopies {
  /** Null: this browser has neither made nor opened the key. */
  readonly fingerprint: string | null
  readonly recovery: { readonly id: string; readonly createdAt: string } | null
  readonly delegates: readonly DelegateCopy[]
  readonly needsPassword: boolean
}

export interface DelegateCopy {
  readonly id: string
  readonly shareCode: string
  readonly hasKey: boolean
}

/** Null: this browser has neither made nor opened the key, so it cannot say which one is right. */
export function readFingerprint(context: PortalContext, serviceId: string): Promise<string | null> {
  return knownFingerprint(context, serviceId)
}

export async function readKeyCopies(context: PortalContext, serviceId: string): Promise<KeyCopies> {
  const { company } = requireOpen(context).client
  const [copies, delegates] = await Promise.all([allOf(company.recoveryCopies.list()), allOf(company.delegates.list())])
  const copy = copies.find(({ kind, ref_id: of }) => kind === 'service_passphrase' && of === serviceId)
  return {
    fingerprint: await knownFingerprint(context, serviceId),
    recovery: copy === undefined ? null : { id: copy.id, createdAt: copy.created_at },
    delegates: delegates
      .filter(({ services }) => services.includes(serviceId))
      .map(({ id, share_code: shareCode, keyed_services: keyed }) => ({
        id,
        shareCode,
        hasKey: keyed.includes(serviceId),
      })),
    needsPassword: await isPasswordNeeded(context),
  }
}

/** Seals the passphrase to the company's recovery key, in the place of an older copy. */
export async function keepRecoveryCopy(
  context: PortalContext,
  { password, ...wish }: PassphraseWish & { readonly password: string | null },
): Promise<void> {
  await openWith(context, wish)
  await pinRecoveryKey(context, password)
  const { services } = requireOpen(context).client.company
  await services.storeRecoveryCopy(wish.serviceId, plainPassphrase(wish.passphrase))
  context.changed('key')
}

/** Mails the code to the owner. */
export async function requestRecoveryCode(context: PortalContext): Promise<void> {
  await requireOpen(context).client.company.recoveryCopies.requestCode()
}

/** Shown to the owner, who stores it again. It opens the key of this service, or nothing is shown. */
export async function recoverPassphrase(
  context: PortalContext,
  wish: {
    readonly serviceId: string
    readonly copyId: string
    readonly code: string
    readonly password: string | null
  },
): Promise<{ readonly passphrase: string }> {
  const recoveryKey = await openRecoveryKey(context, wish.password)
  const { login, client } = requireOpen(context)
  if (login === null) throw refuseHere('password_needed')
  const proof = { copy_id: wish.copyId, auth_verifier: login.authVerifier.reveal(), code: wish.code }
  const { sealed } = await client.company.recoveryCopies.open(proof)
  const passphrase = await recoveryKey.open(sealed).catch(() => {
    throw refuseHere('recovery_copy_other')
  })
  await openWith(context, { serviceId: wish.serviceId, passphrase })
  return { passphrase }
}

function openWith(context: PortalContext, { serviceId, passphrase }: PassphraseWish) {
  return openServiceKey(context, serviceId, (wrap) => ServiceKey.fromWrap(wrap, plainPassphrase(passphrase)))
}
