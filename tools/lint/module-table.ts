/**
 * What each module of an app may call, through the other's `index.ts`. An arrow that is not here is either a need that
 * belongs in `compose.ts` (a callback registered upwards) or a reason to think again about who owns what.
 */
export const MODULE_TABLE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  region: {
    account: [],
    mail: [],
    access: ['account'],
    login: ['account', 'access', 'mail'],
    registry: ['account', 'access'],
    vault: ['account', 'access', 'mail', 'registry'],
    feed: ['access'],
    services: ['account', 'access', 'registry', 'vault'],
    clients: ['account', 'access', 'services', 'login'],
    grants: ['account', 'access', 'login', 'clients'],
    connections: ['account', 'access', 'registry', 'vault', 'services', 'feed'],
    webhooks: ['account', 'access', 'mail', 'services', 'feed'],
    documents: ['connections', 'feed', 'vault'],
    messages: ['connections', 'feed'],
    twofa: ['connections', 'feed'],
    plugins: ['account', 'services'],
    flows: ['connections', 'documents', 'registry', 'plugins', 'feed'],
  },
}
