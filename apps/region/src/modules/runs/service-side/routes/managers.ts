import {
  answerServiceRun,
  cancelServiceRun,
  createServiceRunPass,
  listServiceRuns,
  readServiceRun,
  readServiceRunSource,
  refuse,
  stageServiceRunFile,
  startServiceRun,
  storeServiceAnswerFile,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { Caller } from '../../../../platform/caller.ts'
import { sendDownload } from '../../../../platform/downloads.ts'
import { parseFlowName, findPublishedVersion } from '../../../flows/index.ts'
import { requireService, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredRun } from '../model.ts'
import { storeAnswerFile } from '../operations/answer-files.ts'
import { listRuns, locateRun, readRun } from '../operations/read-runs.ts'
import { fetchSource, stageSource } from '../operations/source-files.ts'
import { startRun } from '../operations/start-run.ts'
import { answerAsOwner, cancelAsOwner, passForOwner } from './acts.ts'

interface ServiceQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string }
}

interface RunQuestion extends ServiceQuestion {
  readonly params: { readonly id: string; readonly flowId: string; readonly runId: string }
}

/** For managers of a service: the same bodies and answers as for its data client. */
export function bindManagerRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locateService = ({ caller, params }: ServiceQuestion) => ownService(context, caller, params.id)
  bind({
    operation: stageServiceRunFile,
    locate: locateService,
    handle: ({ located, params, body }) => stageSource(context, located, params.flowId, body),
  })
  bind({
    operation: startServiceRun,
    locate: locateService,
    handle: ({ located, params, body }) => startRun(context, located, params.flowId, body),
  })
  bind({
    operation: listServiceRuns,
    async locate({ caller, params }) {
      const flow = parseFlowName(await ownService(context, caller, params.id), params.flowId)
      const version = await context.database.read((read) => findPublishedVersion(read, flow))
      if (version === null) throw refuse('flows.not_found')
      return flow
    },
    handle: ({ located, query }) => listRuns(context, located, located.flowId, query),
  })
  bindRun(bind, context)
}

function bindRun(bind: BindRoute, context: ServiceSideContext): void {
  const locate = async ({ caller, params }: RunQuestion): Promise<StoredRun> => {
    const service = await ownService(context, caller, params.id)
    const { flowId } = parseRunFlow(service, params.flowId)
    return locateRun(context, service, params.runId, flowId)
  }
  bind({ operation: readServiceRun, locate, handle: ({ located }) => readRun(context, located) })
  bind({ operation: answerServiceRun, locate, handle: ({ located, body }) => answerAsOwner(context, located, body) })
  bind({
    operation: storeServiceAnswerFile,
    locate,
    handle: ({ located, body }) => storeAnswerFile(context, located, body),
  })
  bind({
    operation: cancelServiceRun,
    locate,
    handle: ({ located, body }) => cancelAsOwner(context, located, body.reason ?? null),
  })
  bind({ operation: createServiceRunPass, locate, handle: ({ located }) => passForOwner(context, located) })
  bind({
    operation: readServiceRunSource,
    locate,
    handle: async ({ caller, located, params }) =>
      sendDownload(context, caller, await fetchSource(context, located, params.sourceKey)),
  })
}

/** A malformed id names no flow, so no run either. */
function parseRunFlow(service: ServiceName, flowId: string) {
  try {
    return parseFlowName(service, flowId)
  } catch {
    throw refuse('flows.run_not_found')
  }
}

async function ownService(context: ServiceSideContext, caller: Caller, id: string): Promise<ServiceName> {
  const { companyId, id: serviceId } = await requireService(context.services, caller, id)
  return { companyId, serviceId }
}
