import { createHash } from 'node:crypto'

/** Stands for a configuration: whoever sends it back has seen exactly this one. */
export function configToken(config: unknown): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('base64url')
}
