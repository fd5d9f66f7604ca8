import type { Definition } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { GenerateRefusal } from '@sealpost/protocol'
import type { Actor, StoredRun } from '../../service-side/model.ts'
import { hasErasedCustomer, isActor } from '../../service-side/rules/status.ts'

/** `done`: the documents are there already. */
export type Generating = 'now' | 'done'

/**
 * Whether the actor may make the documents. Only the party that answered the last step may: that of the current step. Once
 * they are made, it may ask for them again.
 */
export function requireGenerator(
  run: StoredRun,
  actor: Actor,
  { nodes }: Pick<Definition, 'nodes'>,
): Result<Generating, GenerateRefusal> {
  if (!isActor(run, actor)) return decline('flows.run_not_found')
  if (hasErasedCustomer(run)) return decline('account.counterparty_deleted')
  const isMade = run.status === 'awaiting_signature' || run.status === 'completed'
  if (run.outputMode !== 'document' || !(isMade || run.status === 'generating')) return decline('flows.not_generatable')
  const leaf = nodes.find(({ key }) => key === run.currentNode)
  const generator = run.parties.find(({ partyKey }) => partyKey === leaf?.party)
  if (generator?.userId !== actor.userId) return decline('flows.not_your_turn')
  return accept(isMade ? 'done' : 'now')
}
