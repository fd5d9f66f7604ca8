import { type DelegateRecord, fingerprintOf, PublicKey, ServiceKey } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'
import { openServiceKey, plainPassphrase } from '../service-key.ts'

export type DelegateRole = DelegateRecord['role']

export interface DelegateView {
  readonly id: string
  /** Null until the home of the user has told it. */
  readonly name: string | null
  readonly code: string
  readonly role: DelegateRole
  readonly services: readonly string[]
  /** Those of the services whose passphrase was handed over. */
  readonly keyed: readonly string[]
  /** Of the key that a passphrase is sealed to; null while the user has none. */
  readonly fingerprint: string | null
  readonly createdAt: string
}

export interface DelegateWish {
  readonly role: DelegateRole
  readonly services: readonly string[]
}

export async function listDelegates(context: PortalContext): Promise<readonly DelegateView[]> {
  const delegates = await allOf(requireOpen(context).client.company.delegates.list())
  return Promise.all(delegates.map(viewOf))
}

export async function readDelegate(context: PortalContext, id: string): Promise<DelegateView> {
  return viewOf(await requireOpen(context).client.company.delegates.read(id))
}

/** Answers the id. The key of the user is pinned under the code that was typed. */
export async function addDelegate(
  context: PortalContext,
  { code, role, services }: DelegateWish & { readonly code: string },
): Promise<string> {
  const { delegates } = requireOpen(context).client.company
  const { id } = await delegates.create({ share_code: code, role, services: [...services] })
  context.changed('delegates', 'audit')
  return id
}

export async function changeDelegate(
  context: PortalContext,
  { id, role, services }: DelegateWish & { readonly id: string },
): Promise<void> {
  await requireOpen(context).client.company.delegates.change(id, { role, services: [...services] })
  context.changed('delegates', 'audit')
}

export async function removeDelegate(context: PortalContext, id: string): Promise<void> {
  await requireOpen(context).client.company.delegates.delete(id)
  context.changed('delegates', 'audit')
}

/**
 * Seals the passphrase to the delegate and forgets it. It is tried first: a wrong one would be found out by the delegate
 * only. What is sealed to is the key that the page has shown.
 */
export async function handOverKey(
  context: PortalContext,
  wish: {
    readonly delegateId: string
    readonly serviceId: string
    readonly passphrase: string
    readonly fingerprint: string
  },
): Promise<void> {
  const { delegates } = requireOpen(context).client.company
  const delegate = await delegates.read(wish.delegateId)
  if (delegate.public_key === null) throw refuseHere('delegate_without_key')
  if ((await fingerprintOf(delegate.public_key)) !== wish.fingerprint) throw refuseHere('delegate_key_changed')
  await pinDelegate(context, delegate.share_code, wish.fingerprint)
  const passphrase = plainPassphrase(wish.passphrase)
  await openServiceKey(context, wish.serviceId, (wrap) => ServiceKey.fromWrap(wrap, passphrase))
  const sealed = await (await PublicKey.import(delegate.public_key)).seal(passphrase)
  await delegates.handOverKey(wish.delegateId, wish.serviceId, sealed)
  context.changed('delegates', 'audit')
}

/** The key of the account itself, which a company that hands over a passphrase compares. */
export async function ownFingerprint(context: PortalContext): Promise<string> {
  return fingerprintOf(requireOpen(context).publicKey)
}

/** Under the name that the SDK gives it when a delegate is added. */
async function pinDelegate(context: PortalContext, code: string, fingerprint: string): Promise<void> {
  const { accountId } = requireOpen(context)
  const pins = context.store.pinsOf(async () => accountId)
  const known = await pins.get(`code:${code}`)
  if (known !== undefined && known !== fingerprint) throw refuseHere('delegate_key_changed')
  if (known === undefined) await pins.set(`code:${code}`, fingerprint)
}

async function viewOf(delegate: DelegateRecord): Promise<DelegateView> {
  const { id, display_name: name, share_code: code, role, services, keyed_services: keyed, public_key: key } = delegate
  const fingerprint = key === null ? null : await fingerprintOf(key)
  return { id, name, code, role, services, keyed, fingerprint, createdAt: delegate.created_at }
}
