import {
  acceptOwnerDocument,
  declineOwnerDocument,
  readOwnerDocument,
  refuse,
  sendOwnerSignCode,
  signOwnerDocument,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { sendDownload } from '../../../platform/downloads.ts'
import { type RunCopy, sendSignCode } from '../../documents/index.ts'
import { nameOfService, requireReadable, requireService, type Service } from '../../services/index.ts'
import type { ServiceSideContext } from '../service-side/context.ts'
import { locateRun } from '../service-side/operations/read-runs.ts'
import { acceptAsOwner, declineAsOwner, findOwnerCopy, signAsOwner } from './operations/sign-as-owner.ts'

interface Question {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly runId: string; readonly outputKey: string }
}

/** The company signs its own copies by users of its portal. */
export function bindSigningRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locate = async ({ caller, params }: Question): Promise<RunCopy> =>
    findCopy(context, await requireService(context.services, caller, params.id), params)
  bind({
    operation: readOwnerDocument,
    // The copy stays readable when the service is deleted.
    locate: async ({ caller, params }: Question) =>
      findCopy(context, await requireReadable(context.services, caller, params.id), params),
    handle({ located, caller }) {
      if (located.answerFile === null) throw refuse('flows.no_document')
      return sendDownload(context, caller, located.answerFile)
    },
  })
  bind({
    operation: sendOwnerSignCode,
    locate,
    async handle({ located }): Promise<undefined> {
      if (located.status !== 'ready_to_sign') throw refuse('documents.status_invalid')
      const { companyId: accountId, id, name } = located
      await sendSignCode(context.documents.customer, { accountId, id }, name)
    },
  })
  bind({
    operation: signOwnerDocument,
    locate,
    handle: ({ located, caller, call, body }) => signAsOwner(context, located, { caller, call }, body),
  })
  bind({
    operation: acceptOwnerDocument,
    locate,
    handle: ({ located, caller, call, body }) => acceptAsOwner(context, located, { caller, call }, body),
  })
  bind({
    operation: declineOwnerDocument,
    locate,
    handle: ({ located, body }) => declineAsOwner(context, located, body.reason ?? null),
  })
}

async function findCopy(
  context: ServiceSideContext,
  service: Service,
  { runId, outputKey }: Question['params'],
): Promise<RunCopy> {
  return findOwnerCopy(context, await locateRun(context, nameOfService(service), runId), outputKey)
}
