/** What a page may keep drawn until it changes. */
export type Topic = 'session' | 'data' | 'connections' | 'devices' | 'papers' | 'messages' | 'approvals' | 'flows'
