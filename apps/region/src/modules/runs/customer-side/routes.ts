import {
  answerCustomerRun,
  cancelCustomerRun,
  createCustomerRunPass,
  declineCustomerRun,
  deleteFlowLink,
  generateCustomerRun,
  listCustomerRuns,
  putFlowLink,
  readCustomerAnswerFile,
  readCustomerRun,
  readCustomerRunDocument,
  readFlowLink,
  refuse,
  storeCustomerAnswerFile,
  storeCustomerRunInput,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { type Caller, markOf } from '../../../platform/caller.ts'
import { sendDownload } from '../../../platform/downloads.ts'
import { findRunFile } from '../../documents/index.ts'
import type { CustomerContext } from './context.ts'
import { answerRun, cancelRun, passForRun, storeAnswerFile } from './operations/act-on-run.ts'
import { changeLink, locateLink, readLink, removeLink } from './operations/flow-links.ts'
import { generateRun, storeInput } from './operations/generate.ts'
import { findOwnFile, listOfConnection, locateRun, readRun } from './operations/read-runs.ts'

interface RunQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly runId: string }
}

export function bindCustomerRoutes(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: RunQuestion) => locateRun(context, caller.accountId, params.id, params.runId)
  bind({
    operation: listCustomerRuns,
    handle: ({ caller, params }) => listOfConnection(context, caller.accountId, params.id),
  })
  bind({ operation: readCustomerRun, locate, handle: ({ located }) => readRun(context, located) })
  bind({
    operation: answerCustomerRun,
    locate,
    handle: ({ located, caller, call, body }) => answerRun(context, located, body, markOf(caller, call)),
  })
  bind({
    operation: storeCustomerAnswerFile,
    locate,
    handle: ({ located, body }) => storeAnswerFile(context, located, body),
  })
  bind({ operation: createCustomerRunPass, locate, handle: ({ located }) => passForRun(context, located) })
  for (const operation of [cancelCustomerRun, declineCustomerRun])
    bind({
      operation,
      locate,
      handle: ({ located, caller, call, body }) =>
        cancelRun(context, located, body.reason ?? null, markOf(caller, call)),
    })
  bindGeneration(bind, context)
  bindFile(bind, context)
  bindLinks(bind, context)
}

interface LinkQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly flowId: string; readonly slug: string }
}

function bindLinks(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: LinkQuestion) => locateLink(context, caller.accountId, params)
  bind({ operation: readFlowLink, locate, handle: ({ located }) => readLink(context, located) })
  bind({ operation: putFlowLink, locate, handle: ({ located, body }) => changeLink(context, located, body) })
  bind({
    operation: deleteFlowLink,
    locate,
    async handle({ located }) {
      await removeLink(context, located)
      return undefined
    },
  })
}

function bindGeneration(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: RunQuestion) => locateRun(context, caller.accountId, params.id, params.runId)
  bind({ operation: generateCustomerRun, locate, handle: ({ located, body }) => generateRun(context, located, body) })
  bind({
    operation: storeCustomerRunInput,
    locate,
    handle: ({ located, body }) => storeInput(context, located, body),
  })
  bind({
    operation: readCustomerRunDocument,
    locate,
    async handle({ caller, located, params }) {
      const { accountId, id: runId } = located
      const name = { runId, outputKey: params.outputKey }
      const file = await context.database.read((read) => findRunFile(read, accountId, name))
      if (file === null) throw refuse('flows.no_document')
      return sendDownload(context, caller, file)
    },
  })
}

function bindFile(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: readCustomerAnswerFile,
    locate: ({ caller, params }) => locateRun(context, caller.accountId, params.id, params.runId),
    handle: async ({ caller, located, params }) =>
      sendDownload(context, caller, await findOwnFile(context, located, params.file)),
  })
}
