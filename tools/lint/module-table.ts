/**
 * What each module of an app may call, through the other's `index.ts`. An arrow that is not here is either a need that
 * belongs in `compose.ts` (a callback registered upwards) or a reason to think again about who owns what.
 */
export const MODULE_TABLE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  region: {
    account: [],
    mail: [],
    persons: [],
    access: ['account', 'persons'],
    login: ['account', 'access', 'mail'],
    registry: ['account'],
    feed: [],
    services: ['account', 'access', 'registry', 'feed'],
    clients: ['account', 'access', 'services', 'login'],
    grants: ['account', 'access', 'login', 'clients'],
    connections: ['services', 'persons', 'feed'],
    webhooks: ['services', 'feed', 'account'],
    documents: ['connections', 'feed', 'persons'],
    messages: ['connections', 'feed', 'persons'],
    twofa: ['connections', 'feed', 'persons'],
    plugins: ['account', 'services'],
    flows: ['connections', 'documents', 'registry', 'plugins', 'feed'],
  },
}
