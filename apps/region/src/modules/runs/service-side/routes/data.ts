import {
  answerRun,
  cancelRun,
  createRunPass,
  listRuns as listRunsRoute,
  readFlowLinkFile,
  readRun as readRunRoute,
  readRunSlotFile,
  readRunSource,
  stageRunFile,
  startRun as startRunRoute,
  storeAnswerFile as storeAnswerFileRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import { type Caller, clientOf } from '../../../../platform/caller.ts'
import { sendDownload } from '../../../../platform/downloads.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { storeAnswerFile } from '../operations/answer-files.ts'
import { listRuns, locateRun, readRun } from '../operations/read-runs.ts'
import { fetchSource, stageSource } from '../operations/source-files.ts'
import { startRun } from '../operations/start-run.ts'
import { answerAsOwner, cancelAsOwner, findSlotFile, passForOwner } from './acts.ts'
import { locateLinkedFile, sendLinked } from './linked-file.ts'

interface Question {
  readonly caller: Caller
  readonly params: { readonly runId: string }
}

/** For the data client of a service. */
export function bindDataRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locate = ({ caller, params }: Question) => locateRun(context, serviceOf(caller), params.runId)
  bind({
    operation: stageRunFile,
    handle: ({ caller, params, body }) => stageSource(context, serviceOf(caller), params.flowId, body),
  })
  bind({
    operation: startRunRoute,
    handle: ({ caller, params, body }) => startRun(context, serviceOf(caller), params.flowId, body),
  })
  bind({
    operation: listRunsRoute,
    handle: ({ caller, query }) => listRuns(context, serviceOf(caller), null, query),
  })
  bind({ operation: readRunRoute, locate, handle: ({ located }) => readRun(context, located) })
  bind({ operation: answerRun, locate, handle: ({ located, body }) => answerAsOwner(context, located, body) })
  bind({
    operation: storeAnswerFileRoute,
    locate,
    handle: ({ located, body }) => storeAnswerFile(context, located, body),
  })
  bind({
    operation: cancelRun,
    locate,
    handle: ({ located, body }) => cancelAsOwner(context, located, body.reason ?? null),
  })
  bind({ operation: createRunPass, locate, handle: ({ located }) => passForOwner(context, located) })
  bind({
    operation: readRunSlotFile,
    locate,
    handle: async ({ caller, located, params }) =>
      sendDownload(context, caller, await findSlotFile(context, located, params.slug)),
  })
  bind({
    operation: readFlowLinkFile,
    locate: ({ caller, params }) => locateLinkedFile(context, serviceOf(caller), params),
    handle: ({ caller, located }) => sendLinked(context, caller, located),
  })
  bind({
    operation: readRunSource,
    locate,
    handle: async ({ caller, located, params }) =>
      sendDownload(context, caller, await fetchSource(context, located, params.sourceKey)),
  })
}

/** The service of a data client's token; ids sent by the caller are ignored. */
function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('service client without a service')
  return { companyId, serviceId }
}
