import { createHash } from 'node:crypto'
import type { Call } from '@sealpost/http'
import {
  answerCustomerRun,
  cancelCustomerRun,
  declineCustomerRun,
  generateCustomerRun,
  listCustomerRuns,
  readCustomerAnswerFile,
  readCustomerRun,
  readCustomerRunDocument,
  refuse,
  storeCustomerAnswerFile,
  storeCustomerRunInput,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { sendFile } from '../../../platform/downloads.ts'
import { digestHeader } from '../../../settings.ts'
import { findRunFile } from '../../documents/index.ts'
import type { CustomerContext } from './context.ts'
import type { StoredFile } from './model.ts'
import { answerRun, cancelRun, storeAnswerFile } from './operations/act-on-run.ts'
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
  for (const operation of [cancelCustomerRun, declineCustomerRun])
    bind({
      operation,
      locate,
      handle: ({ located, caller, call, body }) =>
        cancelRun(context, located, body.reason ?? null, markOf(caller, call)),
    })
  bindGeneration(bind, context)
  bindFile(bind, context)
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
      return sendSealed(context, caller, file)
    },
  })
}

function bindFile(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: readCustomerAnswerFile,
    locate: ({ caller, params }) => locateRun(context, caller.accountId, params.id, params.runId),
    handle: async ({ caller, located, params }) =>
      sendSealed(context, caller, await findOwnFile(context, located, params.file)),
  })
}

async function sendSealed(context: CustomerContext, caller: Caller, file: StoredFile) {
  const sent = await sendFile(context, caller, file, {
    'content-type': 'application/json; charset=utf-8',
    [digestHeader(context.settings)]: file.sha256,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    // The digest covers these bytes, so no proxy may compress them.
    'cache-control': 'private, no-store, no-transform',
  })
  if (sent === null) throw refuse('company_data.file_not_found')
  return sent
}

/** A digest of caller, path and Idempotency-Key: equal for repetitions of a call only. */
function markOf({ client, userId }: Caller, { path, idempotencyKey }: Call): string | null {
  if (idempotencyKey === null) return null
  return createHash('sha256')
    .update(JSON.stringify([client?.clientId ?? userId, path, idempotencyKey]))
    .digest('hex')
}
