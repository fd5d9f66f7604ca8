import type { ChosenOutput, RuleSource } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import { PDF_REFUSALS, type PdfRefusal } from '@sealpost/pdf-format'
import { findAsset } from '../../../flows/index.ts'
import type { NotGenerated } from '../../rules/not-generated.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { StoredRun } from '../../service-side/model.ts'
import type { Filling } from '../model.ts'
import { readEnvelope } from '../rules/hand-over.ts'

const MEGABYTE = 1_048_576

/** The PDF of an output with the values of the run in it. */
export async function fillOutput(
  context: ServiceSideContext,
  { run, texts, openInput }: Filling,
  { output_key: outputKey, source }: ChosenOutput,
): Promise<Result<Uint8Array, NotGenerated>> {
  const file =
    source.kind === 'template' ? await readTemplate(context, run, source.asset_key) : await openPdf(openInput, source)
  if (file === null) return unusable(source, outputKey, 'is missing or is no PDF')
  const filled = await context.reader.fillTemplate(file, texts)
  if (!filled.ok) {
    if (filled.refusal === 'busy') return decline({ refusal: 'platform.busy', sentence: null })
    return unusable(source, outputKey, `cannot be filled: ${reasonOf(filled.refusal)}`)
  }
  if (filled.value.bytes.length > context.settings.DOCUMENT_MAX_MB * MEGABYTE)
    return unusable(source, outputKey, `exceeds ${context.settings.DOCUMENT_MAX_MB} MB when it is filled`)
  return accept(filled.value.bytes)
}

/** Null when the version names a picture, or a file that the store has lost. */
async function readTemplate(context: ServiceSideContext, run: StoredRun, assetKey: string): Promise<Uint8Array | null> {
  const asset = await context.database.read((read) => findAsset(read, run, assetKey))
  if (asset?.kind !== 'pdf') return null
  const found = await context.objects.get(asset.objectKey, { sha256: asset.sha256, maxBytes: asset.bytes })
  if (found.ok) return found.value
  context.log.error({ assetKey, reason: found.refusal }, 'a template of a flow cannot be read')
  return null
}

async function openPdf(
  openInput: Filling['openInput'],
  source: Exclude<RuleSource, { kind: 'template' }>,
): Promise<Uint8Array | null> {
  const envelope = await openInput(source.source_key)
  return envelope === null ? null : readEnvelope(envelope)
}

/** The fault of a participant's PDF has a key of its own: the author of the flow cannot mend it. */
function unusable({ kind }: RuleSource, outputKey: string, problem: string): Result<never, NotGenerated> {
  return kind === 'template'
    ? decline({ refusal: 'flows.generation_failed', sentence: `The template of ${outputKey} ${problem}` })
    : decline({ refusal: 'flows.source_pdf_invalid', sentence: `The participant's PDF of ${outputKey} ${problem}` })
}

function reasonOf(refusal: PdfRefusal): string {
  return PDF_REFUSALS[refusal].replace(/\.$/, '')
}
