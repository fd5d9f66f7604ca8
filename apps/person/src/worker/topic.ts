/** What a page may keep drawn until it changes. */
export const TOPICS = ['session', 'data', 'connections', 'devices', 'papers', 'messages', 'approvals', 'flows'] as const

export type Topic = (typeof TOPICS)[number]
