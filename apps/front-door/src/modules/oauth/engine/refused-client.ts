import type { IncomingMessage } from 'node:http'
import type { NoteRefusal } from '@sealpost/http'
import { type ClientId, parseClientId } from '@sealpost/kernel'
import type { ErrorKey } from '@sealpost/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { readBasic } from '../../../platform/basic-credentials.ts'

const notes = new WeakMap<IncomingMessage, NoteRefusal>()

/** For a request that the engine is handed next. */
export function noteRefusalsBy(request: IncomingMessage, note: NoteRefusal): void {
  notes.set(request, note)
}

/** Adds the refused client and the error key to the log line of the request; never a secret, a code or a token. */
export function noteRefusal(ctx: KoaContextWithOIDC, errorKey: ErrorKey): void {
  notes.get(ctx.req)?.(errorKey, refusedClient(ctx))
}

/** A client that the engine does not know is named by the request alone. */
function refusedClient({ oidc, req }: KoaContextWithOIDC): ClientId | null {
  const inForm = oidc.client?.clientId ?? oidc.params?.['client_id'] ?? oidc.body?.['client_id']
  const named = inForm ?? readBasic(req.headers.authorization ?? '')?.id
  return typeof named === 'string' ? parseClientId(named) : null
}
