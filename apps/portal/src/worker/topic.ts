/** What a page may keep drawn until it changes. */
export const TOPICS = [
  'session',
  'acting',
  'audit',
  'delegates',
  'attention',
  'devices',
  'services',
  'key',
  'runs',
] as const

export type Topic = (typeof TOPICS)[number]
