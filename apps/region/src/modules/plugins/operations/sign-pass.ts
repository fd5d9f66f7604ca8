import { DIRECTORY } from '@sealpost/bus'
import type { UserId } from '@sealpost/kernel'
import { type PassKind, signPassAsk } from '@sealpost/protocol'
import type { PluginsContext } from '../context.ts'

export interface WantedPass {
  readonly kind: PassKind
  readonly companyId: UserId
  readonly pluginIds: readonly string[]
  /** Of a flow pass. */
  readonly turn?: { readonly runId: string; readonly node: string; readonly party: string }
}

/** The front door alone signs; it names this region in the pass. */
export function signPass(
  { bus }: Pick<PluginsContext, 'bus'>,
  { kind, companyId, pluginIds, turn }: WantedPass,
): Promise<{ pass: string; forwarder_url: string }> {
  return bus.ask(signPassAsk, {
    to: DIRECTORY,
    body: {
      kind,
      company_id: companyId,
      plugin_ids: [...pluginIds],
      turn: turn === undefined ? null : { run_id: turn.runId, node: turn.node, party: turn.party },
    },
  })
}
