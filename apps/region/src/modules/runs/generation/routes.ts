import { parseUuid } from '@sealpost/kernel'
import {
  type Generated,
  generateRun,
  generateServiceRun,
  readOnlyRunDocument,
  readRunDocument,
  refuse,
  storeRunInput,
  storeServiceRunInput,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { sendDownload } from '../../../platform/downloads.ts'
import { listOwnerCopies } from '../../documents/index.ts'
import type { FlowId } from '../../flows/index.ts'
import { ownServiceOf, requireService } from '../../services/index.ts'
import { isFinal, refusalOf } from '../rules/not-generated.ts'
import type { ServiceSideContext } from '../service-side/context.ts'
import type { StoredObject, StoredRun } from '../service-side/model.ts'
import { documentsOf, locateRun } from '../service-side/operations/read-runs.ts'
import { generatedToWire } from '../wire.ts'
import { generate } from './operations/generate.ts'
import { discardInputs, type GenerateBody, readHandOver, storeInput } from './operations/inputs.ts'

interface DataQuestion {
  readonly caller: Caller
  readonly params: { readonly runId: string }
}

interface ManagerQuestion extends DataQuestion {
  readonly params: { readonly id: string; readonly flowId: string; readonly runId: string }
}

export function bindGenerationRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locate = ({ caller, params }: DataQuestion) => locateRun(context, ownServiceOf(caller), params.runId)
  const locateManaged = async ({ caller, params }: ManagerQuestion): Promise<StoredRun> => {
    const { companyId, id: serviceId } = await requireService(context.services, caller, params.id)
    const flowId = parseUuid<FlowId>(params.flowId)
    if (flowId === null) throw refuse('flows.run_not_found')
    return locateRun(context, { companyId, serviceId }, params.runId, flowId)
  }
  bind({ operation: generateRun, locate, handle: ({ located, body }) => generateAsOwner(context, located, body) })
  bind({ operation: storeRunInput, locate, handle: ({ located, body }) => storeInput(context, located, body) })
  bind({
    operation: generateServiceRun,
    locate: locateManaged,
    handle: ({ located, body }) => generateAsOwner(context, located, body),
  })
  bind({
    operation: storeServiceRunInput,
    locate: locateManaged,
    handle: ({ located, body }) => storeInput(context, located, body),
  })
  bind({
    operation: readRunDocument,
    locate,
    handle: async ({ caller, located, params }) =>
      sendDownload(context, caller, await findOwnFile(context, located, params.outputKey)),
  })
  bind({
    operation: readOnlyRunDocument,
    locate,
    handle: async ({ caller, located }) => sendDownload(context, caller, await findOwnFile(context, located, null)),
  })
}

async function generateAsOwner(context: ServiceSideContext, run: StoredRun, body: GenerateBody): Promise<Generated> {
  const actor = { userId: run.companyId, region: null }
  const generated = await generate(context, run, actor, await readHandOver(context, run, body))
  if (!generated.ok) {
    if (isFinal(generated.refusal)) await discardInputs(context, run, body.inputs)
    throw refusalOf(generated.refusal)
  }
  const after = generated.value
  const documents = await context.database.read((read) => documentsOf(read, after))
  const own = new Set(after.parties.filter(({ customer }) => customer === null).map(({ partyKey }) => partyKey))
  return generatedToWire(after.status, documents, (key) => own.has(key))
}

/** `outputKey` null: of the only output. */
async function findOwnFile(
  { database }: ServiceSideContext,
  { serviceId, id: runId }: StoredRun,
  outputKey: string | null,
): Promise<StoredObject> {
  const copies = await database.read((read) => listOwnerCopies(read, { serviceId, runId }))
  const outputs = new Set(copies.map((copy) => copy.outputKey))
  const wanted = outputKey ?? (outputs.size === 1 ? [...outputs][0] : null)
  const file = copies.find((copy) => copy.outputKey === wanted)?.answerFile ?? null
  if (file === null) throw refuse('flows.no_document')
  return file
}
