/** In the order in which a client's groups are returned. */
export const capabilities = [
  'service_management',
  'company_profile_fields',
  'customer_connections',
  'oauth_apps',
  'delegate_management',
] as const
export type Capability = (typeof capabilities)[number]
