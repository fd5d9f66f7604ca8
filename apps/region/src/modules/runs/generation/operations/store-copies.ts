import type { ChosenOutput, SigningLine } from '@sealpost/flow'
import { sha256Of } from '@sealpost/objects'
import { type NewRunCopy, pdfEnvelope, sealToReader, storeAnswer } from '../../../documents/index.ts'
import { findService } from '../../../services/index.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { StoredRun } from '../../service-side/model.ts'
import { recipientOf } from '../../service-side/rules/status.ts'

/** One copy per participant, encrypted to its key. The objects are garbage until a transaction keeps them. */
export async function storeCopies(
  context: ServiceSideContext,
  run: StoredRun,
  { output_key: outputKey, name, cancellable }: ChosenOutput,
  line: SigningLine,
  pdf: Uint8Array,
): Promise<readonly NewRunCopy[]> {
  const service = await context.database.read((read) => findService(read, run.companyId, run.serviceId))
  if (service === null) throw new Error(`service ${run.serviceId} of a run is gone`)
  const envelope = pdfEnvelope(name, pdf)
  const plainSha256 = sha256Of(pdf)
  const copies: NewRunCopy[] = []
  for (const { partyKey, userId, customer } of run.parties) {
    const wrapper = await sealToReader(customer?.publicKey ?? service.publicKey, envelope)
    if (wrapper === null) throw new Error(`the key of party ${partyKey} cannot be used`)
    const step = line.find((one) => one.output_key === outputKey && one.party === partyKey)
    copies.push({
      outputKey,
      name,
      partyKey,
      customer: customer === null ? null : recipientOf(userId, customer),
      position: step?.position ?? null,
      action: step?.action ?? null,
      canBeCancelled: cancellable,
      metadata: { flow_id: run.flowId, flow_run_id: run.id, output_key: outputKey },
      plainSha256,
      contentSha256: sha256Of(Buffer.from(wrapper)),
      file: await storeAnswer(context, true, wrapper),
    })
  }
  return copies
}
