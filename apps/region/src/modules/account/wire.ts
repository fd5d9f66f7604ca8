import { formatInstant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Account, DelegateRow, KeyBundle, Membership, RecoveryCopy } from './model.ts'
import type { NamedEntry } from './store/audit.ts'

export function profileToWire({ displayName, language }: Pick<Account, 'displayName' | 'language'>) {
  return { display_name: displayName, language }
}

export function bundleToWire(keys: KeyBundle | null) {
  if (keys === null) throw refuse('keys.not_found')
  return { public_key: keys.publicKey, encrypted_private_key: keys.encryptedPrivateKey }
}

export function delegateToWire(delegate: DelegateRow) {
  return {
    id: delegate.id,
    user_id: delegate.userId,
    share_code: delegate.shareCode,
    display_name: delegate.displayName,
    role: delegate.role,
    services: [...delegate.services],
    keyed_services: [...delegate.keyedServices],
    public_key: delegate.publicKey,
    created_at: formatInstant(delegate.createdAt),
  }
}

export function membershipToWire({ companyId, region, displayName, role, services }: Membership) {
  return { company_id: companyId, display_name: displayName, region, role, services: [...services] }
}

export function recoveryCopyToWire({ id, kind, refId, createdAt }: RecoveryCopy) {
  return { id, kind, ref_id: refId, created_at: formatInstant(createdAt) }
}

export function auditEntryToWire({ seq, actorId, actorName, action, ref, serviceId, at }: NamedEntry) {
  return {
    id: String(seq),
    actor_id: actorId,
    actor_name: actorName,
    action,
    ref,
    service_id: serviceId,
    at: formatInstant(at),
  }
}
