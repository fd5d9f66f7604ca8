import type { ServiceId, UserId } from '@sealpost/kernel'

/** Whose feed it is: a service's, or that of a company which is a customer of others. */
export type FeedOwner =
  | { readonly kind: 'service'; readonly companyId: UserId; readonly serviceId: ServiceId }
  | { readonly kind: 'account'; readonly accountId: UserId }

/** Ids are unique whatever they name, so one column leads the keys of both kinds. */
export type OwnerId = ServiceId | UserId

export function ownerIdOf(owner: FeedOwner): OwnerId {
  return owner.kind === 'service' ? owner.serviceId : owner.accountId
}

export function accountIdOf(owner: FeedOwner): UserId {
  return owner.kind === 'service' ? owner.companyId : owner.accountId
}
