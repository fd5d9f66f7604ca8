import type { Draft } from '../flows/prepare-step.ts'
import type { CallOptions } from '../options.ts'
import { changeMappings, readCompanyConnection } from '../routes.generated.ts'
import { nextRecord, trustedRecord } from './connection-record.ts'
import { linkOf } from './connections.ts'
import type { ContactData } from './contact-data.ts'
import { sendDecisions } from './decisions.ts'
import type { CustomerSession } from './session.ts'

/**
 * A linked answer becomes a value that the service follows. The record of the connection names the link first, so that
 * every device of the account seals later edits of the field for it.
 */
export async function rememberLinks(
  session: CustomerSession,
  contactData: ContactData,
  connectionId: string,
  drafts: readonly Draft[],
  options: CallOptions,
): Promise<void> {
  const links = drafts.flatMap(({ slug, sourceFieldId }) =>
    sourceFieldId === null ? [] : [[slug, sourceFieldId] as const],
  )
  if (links.length === 0) return
  const connection = await session.send(readCompanyConnection, { params: { id: connectionId } }, options)
  const link = linkOf(connection)
  const before = await trustedRecord(session, connection)
  const record = nextRecord(session, before, { ...before.links, ...Object.fromEntries(links) })
  const params = { id: connectionId, serviceLinkId: link.service_link_id }
  const asking = { publicKey: link.public_key, rows: link.request_fields, record }
  await sendDecisions(session, contactData, asking, {}, options, (members) =>
    session.send(changeMappings, { params, body: members }, options),
  )
}
