import { StartRefusedError } from '@sealpost/kernel'

const NO_SUCH_TABLE = '42P01'

/** The sentence of the last log line: what happened and, where it is known, what to do. */
export function explainFailure(app: string, error: unknown): string {
  if (lacksTable(error)) {
    return `${app} cannot start: its database lacks tables; run \`node apps/${app}/src/commands/migrate.ts\` first`
  }
  return error instanceof StartRefusedError ? `${app} cannot start: ${error.message}` : `${app} failed`
}

export function lacksTable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && each.code === NO_SUCH_TABLE) return true
  }
  return false
}
