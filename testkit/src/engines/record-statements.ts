import { Client } from 'pg'

/** The statements that this process sends during the work, also those of other work at that time. */
export async function recordStatements<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly statements: readonly string[] }> {
  const statements: string[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it is called on
  const { query } = Client.prototype
  function record(this: Client, ...given: readonly unknown[]): unknown {
    statements.push(textOf(given[0]))
    return Reflect.apply(query, this, given)
  }
  Object.assign(Client.prototype, { query: record })
  try {
    return { value: await work(), statements }
  } finally {
    Client.prototype.query = query
  }
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null && 'text' in given ? String(given.text) : ''
}
