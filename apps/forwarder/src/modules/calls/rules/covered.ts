import { accept, decline, type Result } from '@sealpost/kernel'
import type { PassKind } from '@sealpost/protocol'
import type { Pass } from '../../passes/index.ts'

/** A registry pass refreshes descriptions and asks nothing; every other pass asks and refreshes nothing. */
const USES = {
  flow: 'call',
  field: 'call',
  claim: 'call',
  registry: 'registry',
} as const satisfies Record<PassKind, string>

export function findCovered(
  { kind, pluginIds }: Pick<Pass, 'kind' | 'pluginIds'>,
  use: (typeof USES)[PassKind],
  pluginId: unknown,
): Result<string, 'plugin.not_in_pass'> {
  const found = pluginIds.find((id) => id === pluginId)
  return found === undefined || USES[kind] !== use ? decline('plugin.not_in_pass') : accept(found)
}
