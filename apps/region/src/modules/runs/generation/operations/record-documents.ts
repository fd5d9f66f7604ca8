import { accept, type Result } from '@sealpost/kernel'
import { createRunCopies, type NewRunCopy } from '../../../documents/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import { failed, type NotGenerated } from '../../rules/not-generated.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { Actor, RunName, StoredRun } from '../../service-side/model.ts'
import { lockForAct } from '../../service-side/operations/lock-run.ts'
import { pinnedDefinition } from '../../service-side/operations/read-runs.ts'
import { recordRun } from '../../service-side/operations/record-run.ts'
import { turnEvent } from '../../service-side/rules/events.ts'
import { primaryRecipient } from '../../service-side/rules/status.ts'
import { requireGenerator } from '../rules/generator.ts'
import { deleteInputs } from '../store/inputs.ts'

/** The first call that gets here records its documents; the copies that a later one has made are garbage. */
export function recordDocuments(
  context: ServiceSideContext,
  name: RunName,
  actor: Actor,
  copies: readonly NewRunCopy[],
): Promise<Result<StoredRun, NotGenerated>> {
  return context.database.transaction(async (tx): Promise<Result<StoredRun, NotGenerated>> => {
    const locked = await lockForAct(tx, name, actor)
    if (locked === null) return failed('flows.run_not_found')
    const { run: before, connections } = locked
    const generating = requireGenerator(before, actor, await pinnedDefinition(tx, before))
    if (!generating.ok) return failed(generating.refusal)
    if (generating.value === 'done') return accept(before)
    const { companyId, serviceId, id: runId } = before
    const run = { isOpen: true, connections, primary: primaryRecipient(before) }
    const created = await createRunCopies(
      context.documents.service,
      tx,
      { service: { companyId, serviceId }, runId, run },
      copies,
    )
    const first = copies.find(({ position }) => position === 1)
    const at = context.clock.now()
    const status = first === undefined ? 'completed' : 'awaiting_signature'
    const after = { ...before, status, rev: before.rev + 1, updatedAt: at }
    await discardObjects(tx, await deleteInputs(tx, name, null), at)
    const changed = await recordRun(context, tx, { before, after })
    const turn = first === undefined ? [] : [turnEvent(after, first.partyKey)]
    await appendEvents(context, tx, [...created, ...turn, ...changed])
    return accept(after)
  })
}
