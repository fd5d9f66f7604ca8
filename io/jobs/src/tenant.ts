/** Jobs of no tenant take turns as if they were of one. */
const NO_TENANT = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Before all of them. */
export const FIRST_TENANT = '00000000-0000-0000-0000-000000000000'

export function toTenant(tenantId: string | null): string {
  return tenantId ?? NO_TENANT
}

export function fromTenant(tenantId: string): string | null {
  return tenantId === NO_TENANT ? null : tenantId
}
