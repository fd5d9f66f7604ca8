/**
 * The modules that each module of an app may call, through their `index.ts`. Any other call is either an upward edge (a
 * callback in `hooks.ts`) or a sign that the wrong module owns the data.
 */
export const MODULE_TABLE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'front-door': {
    directory: [],
    oauth: ['directory'],
    sessions: ['directory'],
    authorize: ['directory', 'oauth', 'sessions'],
    information: ['directory'],
  },
  forwarder: {
    passes: [],
    builtins: [],
    calls: ['passes', 'builtins'],
  },
  region: {
    account: [],
    mail: [],
    access: ['account'],
    login: ['account', 'access', 'mail'],
    devices: ['account', 'access', 'login'],
    registry: ['account', 'access'],
    vault: ['account', 'access', 'mail', 'registry'],
    feed: ['access'],
    plugins: ['account'],
    services: ['account', 'access', 'registry', 'vault', 'plugins'],
    clients: ['account', 'access', 'services', 'login', 'plugins'],
    grants: ['account', 'access', 'services', 'login', 'clients', 'plugins'],
    connections: ['account', 'access', 'registry', 'vault', 'services', 'feed', 'plugins'],
    webhooks: ['account', 'access', 'mail', 'services', 'feed'],
    documents: ['account', 'login', 'mail', 'connections', 'services', 'feed', 'vault'],
    messages: ['connections', 'services', 'feed'],
    twofa: ['access', 'account', 'login', 'connections', 'services', 'feed'],
    flows: ['account', 'registry', 'services', 'plugins', 'vault'],
    runs: ['account', 'connections', 'documents', 'flows', 'mail', 'registry', 'services', 'plugins', 'feed', 'vault'],
    portal: ['documents', 'feed', 'messages', 'runs', 'services'],
  },
}

/**
 * Folders of a module (or of one of its sides) beside its operations, rules and store. `same shape`: a machine with a life
 * of its own, with the files and folders of a module. `any names`: data, pages or the adapter of a library.
 */
export const SUB_MACHINES: Readonly<Record<string, Readonly<Record<string, SubMachines>>>> = {
  region: {
    access: { guard: 'same shape', gates: 'any names' },
    mail: { texts: 'any names' },
    login: { security: 'same shape' },
    vault: { photos: 'same shape', verification: 'same shape', garbage: 'same shape' },
    devices: { streams: 'same shape', push: 'same shape' },
    clients: { 'pending-changes': 'same shape' },
    feed: { queues: 'same shape', quarantine: 'same shape' },
    flows: { checks: 'any names' },
    runs: { generation: 'same shape', signing: 'same shape', evaluation: 'any names' },
    webhooks: { delivery: 'same shape', alerts: 'same shape' },
  },
  'front-door': {
    authorize: { page: 'any names' },
    directory: { hashing: 'any names' },
    information: { page: 'any names' },
    oauth: { engine: 'any names' },
  },
  forwarder: {
    builtins: { lists: 'any names' },
  },
}

type SubMachines = Readonly<Record<string, 'same shape' | 'any names'>>
