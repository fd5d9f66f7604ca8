/** Every call on one client: method, and what follows its path. */
export const CLIENT_CALLS = [
  ['GET', ''],
  ['PUT', ''],
  ['DELETE', ''],
  ['POST', '/regenerate-secret'],
] as const
