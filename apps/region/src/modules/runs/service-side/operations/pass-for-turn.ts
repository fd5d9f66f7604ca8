import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { PassRefusal, TurnPass } from '@sealpost/protocol'
import { readPluginKeys, signPass } from '../../../plugins/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Actor, RunName } from '../model.ts'
import { pluginSpecs } from '../rules/plugin-specs.ts'
import { isActor, requireTurn } from '../rules/status.ts'
import { findRun } from '../store/runs.ts'
import { pinnedDefinition } from './read-runs.ts'

interface Step extends Pick<TurnPass, 'plugins' | 'specs'> {
  readonly companyId: UserId
  readonly turn: { readonly runId: string; readonly node: string; readonly party: string }
}

/**
 * A pass to the plugins of the step that awaits the actor. Nothing is written: the pass names the step and lives for
 * minutes, whatever becomes of the run.
 */
export async function passForTurn(
  context: ServiceSideContext,
  name: RunName,
  actor: Actor,
): Promise<Result<TurnPass, PassRefusal>> {
  const found = await context.database.read(async (read): Promise<Result<Step, PassRefusal>> => {
    const run = await findRun(read, name)
    if (run === null || !isActor(run, actor)) return decline('flows.run_not_found')
    const party = requireTurn(run, actor)
    if (!party.ok) return decline(party.refusal)
    const { nodes } = await pinnedDefinition(read, run)
    const node = nodes.find(({ key }) => key === run.currentNode)
    if (node === undefined) return decline('flows.definition_invalid')
    const specs = pluginSpecs(node)
    const ids = Object.values(specs).map(({ plugin_id: id }) => id)
    const plugins = await readPluginKeys(read, run.companyId, ids)
    const turn = { runId: run.id, node: node.key, party: party.value.partyKey }
    return accept({ specs, plugins, companyId: run.companyId, turn })
  })
  if (!found.ok) return found
  const { specs, plugins, companyId, turn } = found.value
  const pluginIds = plugins.map(({ id }) => id)
  return accept({ ...(await signPass(context, { kind: 'flow', companyId, pluginIds, turn })), plugins, specs })
}
