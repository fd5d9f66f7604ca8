import type { Call } from '@sealpost/http'
import {
  acceptDocument,
  cancelDocument,
  declineDocument,
  listAllCustomerDocuments,
  listCustomerDocuments,
  readCustomerDocument,
  readCustomerDocumentFile,
  refuse,
  sendSignCode as sendSignCodeRoute,
  signDocument,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { type Caller, markOf } from '../../../platform/caller.ts'
import { sendDownload } from '../../../platform/downloads.ts'
import type { CustomerContext } from './context.ts'
import type { Copy } from './model.ts'
import { acceptCopy, type ActCall, actOnCopy, signCopy } from './operations/act-on-copy.ts'
import { sendSignCode } from './operations/prove-signer.ts'
import {
  findFile,
  listAllCopies,
  listOfConnection,
  locateCopy,
  locateReadable,
  readReadable,
} from './operations/read-copies.ts'

export function bindCustomerRoutes(bind: BindRoute, context: CustomerContext): void {
  bindReads(bind, context)
  bindFile(bind, context)
  bindSigning(bind, context)
  bindEnding(bind, context)
}

interface DocumentQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly docId: string }
}

function bindReads(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: listAllCustomerDocuments,
    handle: ({ caller, query }) => listAllCopies(context, caller.accountId, query),
  })
  bind({
    operation: listCustomerDocuments,
    handle: ({ caller, params, query }) => listOfConnection(context, caller.accountId, params.id, query),
  })
  bind({
    operation: readCustomerDocument,
    locate: ({ caller, params }) => locateReadable(context, caller.accountId, params.id, params.docId),
    handle: ({ located }) => readReadable(context, located),
  })
}

function bindFile(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: readCustomerDocumentFile,
    locate: ({ caller, params }) => locateReadable(context, caller.accountId, params.id, params.docId),
    async handle({ caller, located }) {
      const file = await findFile(context, located)
      if (file === null) throw refuse('company_data.file_not_found')
      return sendDownload(context, caller, file)
    },
  })
}

function bindSigning(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: DocumentQuestion): Promise<Copy> => {
    requireHuman(caller)
    return locateCopy(context, caller.accountId, params.id, params.docId)
  }
  bind({
    operation: sendSignCodeRoute,
    locate,
    async handle({ located }): Promise<undefined> {
      if (located.state.status !== 'ready_to_sign') throw refuse('documents.status_invalid')
      await sendSignCode(context, located, located.state.name)
    },
  })
  bind({
    operation: signDocument,
    locate,
    handle: ({ located, caller, call, body }) => signCopy(context, located, actCall(caller, call), body),
  })
  bind({
    operation: acceptDocument,
    locate,
    handle: ({ located, caller, call, body }) => acceptCopy(context, located, actCall(caller, call), body),
  })
}

function bindEnding(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: DocumentQuestion): Promise<Copy> =>
    locateCopy(context, caller.accountId, params.id, params.docId)
  bind({
    operation: declineDocument,
    locate,
    handle: ({ located, caller, call, body }) =>
      actOnCopy(context, located, actCall(caller, call), { act: 'decline', note: body.reason ?? null }),
  })
  bind({
    operation: cancelDocument,
    locate,
    handle: ({ located, caller, call, body }) =>
      actOnCopy(context, located, actCall(caller, call), { act: 'cancel', note: body.note ?? null }),
  })
}

/** Before any look-up, so that a machine client learns nothing about documents here. */
function requireHuman({ client }: Caller): void {
  if (client !== null) throw refuse('documents.human_required')
}

function actCall(caller: Caller, call: Call): ActCall {
  return { caller, ip: call.ip, userAgent: call.userAgent, mark: markOf(caller, call) }
}
